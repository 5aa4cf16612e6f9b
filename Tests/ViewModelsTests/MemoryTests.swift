// SPDX-License-Identifier: MIT
import CMalloc
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// Memory is counted in a process of its own, where nothing else runs.
@Suite struct `Memory` {
  /// A list of things to do.
  private final class Tasks: ViewModel {
    final class Task: ViewModel {
      let text = Observable("Buy fresh bread")
      let done = Observable(false)
      static let surface = Surface<Task>("task", .value("text", \.text), .twoWay("done", \.done))
    }

    let rows = KeyedList<Task>()

    init(_ count: Int) { for number in 0..<count { rows.append(Task(), key: "task-\(10_000 + number)") } }

    static let surface = Surface<Tasks>("tasks", .list("rows", \.rows))

    /// The bytes that a debug build adds to a row: a closure at each of its two nodes. A release build makes
    /// that closure for the type of the node's value, without an object.
    #if DEBUG
      static let added = 2 * 48
    #else
      static let added = 0
    #endif

    /// The bytes that the process has allocated and not freed, with those that the allocator adds to each block.
    private static func heapInUse() -> Int {
      let info = mallinfo2()
      return Int(info.uordblks + info.hblkhd)
    }

    /// The bytes that a hosted list of so many rows takes, and the bytes of its state.
    static func taken(rows count: Int) throws -> (memory: Int, state: Int) {
      // The first view model brings in code and caches, which are not counted.
      _ = try hosted { Tasks(10) }
      let before = heapInUse()
      let model = try hosted { Tasks(count) }
      return withExtendedLifetime(model) { (heapInUse() - before, model.stateLength) }
    }
  }

  @Test(arguments: [1_000, 10_000])
  func `for a row of two short values is at most 0.6 KiB`(count: Int) async {
    await #expect(processExitsWith: .success) { [count] in
      let bytes = try Tasks.taken(rows: count).memory / count
      #expect(bytes <= 614 + Tasks.added, "\(bytes) bytes a row")
    }
  }

  @Test func `for a state of 1 MiB is at most 10 MiB`() async {
    await #expect(processExitsWith: .success) {
      let (memory, state) = try Tasks.taken(rows: 15_900)
      #expect((1 << 20..<1_060_000).contains(state), "a state of \(state) bytes")
      #expect(memory <= (10 << 20) + 15_900 * Tasks.added, "\(memory) bytes")
    }
  }
}

@Suite struct `A part of the state` {
  @Test func `goes with its row, and with its view model when that is closed`() throws {
    final class Parade: ViewModel {
      let list = KeyedList<Zoo.Animal>()
      let guest = Observable<Zoo.Animal?>(nil, cutOff: .never)
      let nested = Zoo.Animal()
      private let note: (Parade) -> Void
      init(_ note: @escaping (Parade) -> Void) { self.note = note }
      func come() {
        list.append(Zoo.Animal(), key: "a")
        guest.value = Zoo.Animal()
        note(self)
      }
      func leave() {
        list.remove("a")
        guest.value = nil
      }
      static let surface = Surface<Parade>(
        "parade", .list("list", \.list), .nested("guest", \.guest), .nested("nested", \.nested),
        .action("come", Parade.come), .action("leave", Parade.leave))
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
    var model: (any HostedModel)? = try hosted { Parade(noting) }
    try model?.perform("come")
    _ = model?.stamp(2)
    #expect(come.allSatisfy { $0.name != nil })
    try model?.perform("leave")
    _ = model?.stamp(3)
    #expect(come.count == 3 && come.allSatisfy { $0.name == nil })
    try model?.perform("come")
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
      private let note: (Shelf.Book) -> Void
      init(_ note: @escaping (Shelf.Book) -> Void) { self.note = note }
      func fill() {
        rows.update(["a", "b"]) { [note] key in
          let book = Shelf.Book(key)
          note(book)
          return book
        }
      }
      func fail() throws {
        _ = rows["a"]
        rows.append(Shelf.Book("x"), key: "x")
        throw Failure()
      }
      func clear() { rows.removeAll() }
      static let surface = Surface<Keeper>(
        "keeper", .list("rows", \.rows), .action("fill", Keeper.fill), .action("fail", Keeper.fail),
        .action("clear", Keeper.clear))
    }
    weak var row: Shelf.Book?
    nonisolated(unsafe) let set: (Shelf.Book) -> Void = { row = $0 }
    let model = try hosted { Keeper(set) }
    try model.perform("fill")
    _ = model.stamp(2)
    #expect(row != nil)
    #expect(throws: ViewModelFailure.self) { try model.perform("fail") }
    _ = model.stamp(3)
    try model.perform("clear")
    _ = model.stamp(4)
    #expect(row == nil)
  }
}

@Suite struct `The memory that a view model is counted with` {
  final class Diary: ViewModel {
    @Observed var page = ""
    @Observed var pin = ""
    func write(_ text: String) { page = text }
    static let surface = Surface<Diary>(
      "diary", .stored("page", \.$page), .secret("pin", \.$pin), .action("write", Diary.write))
  }

  private static let long = String(repeating: "x", count: 10_000)
  private let model: any HostedModel

  init() throws { model = try hosted { Diary() } }

  @Test func `grows and shrinks with a secret`() throws {
    let before = model.memoryBytes
    try model.set("pin", .string(Self.long))
    _ = model.stamp(2)
    #expect(model.memoryBytes >= before + 10_000)
    try model.set("pin", "")
    _ = model.stamp(3)
    #expect(model.memoryBytes == before)
  }

  @Test func `grows with a value that is stored and not shown`() throws {
    let before = model.memoryBytes
    try model.perform("write", .string(Self.long))
    var writer = JSONWriter()
    _ = model.writeStoredMain(isWhole: false, to: &writer)
    #expect(model.memoryBytes >= before + 10_000)
  }

  @Test func `has the parameters that its context keeps`() throws {
    let type = HostedModelType.hosting { _ in Diary() }
    func bytes(_ params: JSON?) throws -> Int {
      try type.make(for: SessionOrigin(id: "a session", client: "", visitor: Visitor(params: params))).memoryBytes
    }
    #expect(try bytes(["motto": .string(Self.long)]) >= bytes(nil) + 10_000)
  }

  @Test func `is limited with the secrets, of which one that is too long may only become shorter`() throws {
    model.stateLimit = 1_000
    #expect(refusal { try model.set("pin", .string(Self.long)) }?.contains("it may have 1000") == true)
    try model.set("pin", .string(String(repeating: "x", count: 900)))
    _ = model.stamp(2)
    model.stateLimit = 500
    #expect(refusal { try model.set("pin", .string(String(repeating: "y", count: 901))) } != nil)
    try model.set("pin", .string(String(repeating: "y", count: 899)))
  }
}
