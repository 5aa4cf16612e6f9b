// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@Suite struct `A value that an action has changed` {
  /// A number that counts the times that it is written as JSON.
  struct Counted: JSONRepresentable, Equatable, Sendable {
    static let jsonTypeName = "integer"
    let number: Int
    let writings: Locked<Int>

    init(_ number: Int, _ writings: Locked<Int>) { (self.number, self.writings) = (number, writings) }
    init(json: JSON) throws(JSONMismatch) { self.init(try Int(json: json), Locked(0)) }

    func write(to writer: inout JSONWriter) {
      writings.withLock { $0 += 1 }
      writer.integer(number)
    }

    static func == (left: Counted, right: Counted) -> Bool { left.number == right.number }
  }

  final class Row: ViewModel {
    let value: Observable<Counted>
    init(_ writings: Locked<Int>) { value = Observable(Counted(0, writings)) }
    static let surface = Surface<Row>("row", .value("value", \.value))
  }

  final class Page: ViewModel {
    let value: Observable<Counted>
    let rows = KeyedList<Row>()
    let write = Observer<Int>()
    let fail = Observer<Int>()

    struct Failure: Error {}

    init(_ writings: Locked<Int>) {
      value = Observable(Counted(0, writings))
      rows.append(Row(writings), key: "a")
      write.handle(self) { page, number in
        page.value.value = Counted(number, writings)
        page.rows["a"]?.value.value = Counted(number, writings)
      }
      fail.handle(self) { page, number in
        page.value.value = Counted(number, writings)
        throw Failure()
      }
    }

    static let surface = Surface<Page>(
      "page", .value("value", \.value), .list("rows", \.rows), .action("write", \.write), .action("fail", \.fail))
  }

  private let writings = Locked(0)
  private let model: any HostedModel

  init() throws {
    model = try HostedModelType.hosting { [writings] in Page(writings) }.make(for: "a session")
    _ = model.stamp(1)
    writings.withLock { $0 = 0 }
  }

  private func patch(since: UInt64) -> String {
    var writer = JSONWriter()
    writer.beginArray()
    model.writePatch(since: since, to: &writer)
    writer.endArray()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func patched(_ number: Int) -> String {
    """
    [{"op":"replace","path":"/value","value":\(number)},\
    {"op":"replace","path":"/rows/items/a/value","value":\(number)}]
    """
  }

  @Test func `is written once for the limit of the state and for the frame`() throws {
    try model.apply(.perform(["write"], 12))
    #expect(model.stamp(2))
    #expect(patch(since: 1) == patched(12))
    #expect(writings.withLock { $0 } == 2)
  }

  @Test func `is in a second frame, and in the next action's, as it is then`() throws {
    try model.apply(.perform(["write"], 12))
    _ = model.stamp(2)
    #expect(patch(since: 1) == patch(since: 1))
    try model.apply(.perform(["write"], 3))
    _ = model.stamp(3)
    try model.apply(.perform(["write"], 4))
    _ = model.stamp(4)
    #expect(patch(since: 1) == patched(4))
    #expect(patch(since: 3) == patched(4))
  }

  @Test func `is as it was where the action is undone`() throws {
    try model.apply(.perform(["write"], 12))
    #expect(throws: ViewModelFailure.self) { try model.apply(.perform(["fail"], 7)) }
    _ = model.stamp(2)
    #expect(patch(since: 1) == patched(12))
    model.stateLimit = model.stateLength
    #expect(throws: SurfaceError.self) { try model.apply(.perform(["write"], 1_000)) }
    try model.apply(.perform(["write"], 5))
    _ = model.stamp(3)
    #expect(patch(since: 1) == patched(5))
  }
}
