// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@Suite struct `What is shown` {
  @Test func `goes with its row, and with its view model when that is closed`() throws {
    final class Parade: ViewModel {
      let list = KeyedList<Zoo.Animal>()
      let guest = Observable<Zoo.Animal?>(nil, cutOff: .never)
      let nested = Zoo.Animal()
      let come = Observer<Void>()
      let leave = Observer<Void>()
      init(_ note: @escaping (Parade) -> Void) {
        come.handle(self) { me, _ in
          me.list.append(Zoo.Animal(), key: "a")
          me.guest.value = Zoo.Animal()
          note(me)
        }
        leave.handle(self) { me, _ in
          me.list.remove("a")
          me.guest.value = nil
        }
      }
      static let surface = Surface<Parade>(
        "parade", .list("list", \.list), .nested("guest", \.guest), .nested("nested", \.nested),
        .action("come", \.come), .action("leave", \.leave))
    }
    final class Weak {
      weak var name: AnyObject?
      init(_ name: AnyObject?) { self.name = name }
    }
    nonisolated(unsafe) var come: [Weak] = []
    nonisolated(unsafe) var stay: [Weak] = []
    let note: (Parade) -> Void = { parade in
      come = [parade.list["a"]?.name, parade.list["a"]?.tags, parade.guest.value?.name].map(Weak.init)
      stay = [Weak(parade.nested.name), Weak(parade.nested), Weak(parade.guest)]
    }
    nonisolated(unsafe) let noting = note
    var model: (any HostedModel)? = try HostedModelType.hosting { Parade(noting) }.make(for: "a session")
    try model?.perform(["come"], nil)
    _ = model?.stamp(2)
    #expect(come.allSatisfy { $0.name != nil })
    try model?.perform(["leave"], nil)
    _ = model?.stamp(3)
    #expect(come.count == 3 && come.allSatisfy { $0.name == nil })
    try model?.perform(["come"], nil)
    _ = model?.stamp(4)
    model?.close()
    model = nil
    #expect((come + stay).allSatisfy { $0.name == nil }, "\((come + stay).map { $0.name as Any })")
  }

  @Test func `a list keeps no maker of rows that are made, and so not itself`() {
    weak var kept: KeyedList<Shelf.Book>?
    do {
      let list = KeyedList<Shelf.Book>()
      list.update(["a", "b"]) { key in Shelf.Book("\(key) of \(list.count)") }
      kept = list
      #expect(list.rows.map(\.title.value) == ["a of 2", "b of 2"])
    }
    #expect(kept == nil)
  }

  @Test func `a list whose transaction was undone keeps no row that is removed after that`() throws {
    final class Keeper: ViewModel {
      struct Failure: Error {}
      let rows = KeyedList<Shelf.Book>()
      let fill = Observer<Void>()
      let fail = Observer<Void>()
      let clear = Observer<Void>()
      init(_ note: @escaping (Shelf.Book) -> Void) {
        fill.handle(self) { me, _ in
          me.rows.update(["a", "b"]) { key in
            let book = Shelf.Book(key)
            note(book)
            return book
          }
        }
        fail.handle(self) { me, _ in
          _ = me.rows["a"]
          me.rows.append(Shelf.Book("x"), key: "x")
          throw Failure()
        }
        clear.handle(self) { me, _ in me.rows.removeAll() }
      }
      static let surface = Surface<Keeper>(
        "keeper", .list("rows", \.rows), .action("fill", \.fill), .action("fail", \.fail), .action("clear", \.clear))
    }
    weak var row: Shelf.Book?
    nonisolated(unsafe) let set: (Shelf.Book) -> Void = { row = $0 }
    let model = try HostedModelType.hosting { Keeper(set) }.make(for: "a session")
    try model.perform(["fill"], nil)
    _ = model.stamp(2)
    #expect(row != nil)
    #expect(throws: ViewModelFailure.self) { try model.perform(["fail"], nil) }
    _ = model.stamp(3)
    try model.perform(["clear"], nil)
    _ = model.stamp(4)
    #expect(row == nil)
  }
}
