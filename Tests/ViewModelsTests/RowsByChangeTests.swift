// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
import Testing

@testable import ViewModels

@Suite struct `The changes of a list's rows` {
  private final class Table: ViewModel {
    final class Row: ViewModel {
      let text: Observable<String>
      let flag = Observable(false)
      init(_ text: String) { self.text = Observable(text) }
      static let surface = Surface<Row>("row", .twoWay("text", \.text), .twoWay("flag", \.flag))
    }

    let rows = KeyedList<Row>()
    let add = Observer<String>()
    let remove = Observer<String>()

    init(_ count: Int, _ text: String) {
      rows.update((0..<count).map { "n\($0)" }) { Row("\(text) of \($0)") }
      add.handle(self) { table, key in table.rows.append(Row("new"), key: key) }
      remove.handle(self) { table, key in table.rows.remove(key) }
    }

    static let surface = Surface<Table>(
      "table", .list("rows", \.rows), .action("add", \.add), .action("remove", \.remove))
  }

  private let model: any HostedModel
  private var revision: UInt64 = 1
  private var states: [UInt64: JSON] = [:]

  private init() throws { try self.init(text: "text") }

  private init(text: String) throws {
    model = try HostedModelType.hosting { Table(400, text) }.make(for: "a session")
    states[1] = try `The patch from any revision`.state(model)
  }

  private mutating func change(_ change: Change) throws {
    try model.apply(change)
    if model.stamp(revision + 1) { revision += 1 }
    states[revision] = try `The patch from any revision`.state(model)
  }

  private mutating func set(_ row: Int, _ text: String) throws {
    try change(.set(["rows", "items", "n\(row)", "text"], .string(text)))
  }

  private func expectRightPatches() throws {
    for (since, state) in states {
      let patch = try `The patch from any revision`.patch(model, since: since)
      #expect(try state.applying([PatchOperation](json: patch)) == states[revision], "since \(since)")
    }
  }

  @Test mutating func `are one for a row that has changed a thousand times`() throws {
    for number in 0..<1_000 { try set(7, "change \(number)") }
    let path: JSON = "/rows/items/n7/text"
    #expect(
      try `The patch from any revision`.patch(model, since: 1) == [
        ["op": "replace", "path": path, "value": "change 999"]
      ])
  }

  @Test func `of long rows are known of all`() throws {
    var table = try Self(text: String(repeating: "long ", count: 100))
    for row in 0..<400 { try table.change(.set(["rows", "items", "n\(row)", "flag"], true)) }
    guard case .array(let patch) = try `The patch from any revision`.patch(table.model, since: 1) else {
      throw Failure()
    }
    #expect(patch.count == 400)
    try table.expectRightPatches()
  }

  @Test mutating func `of short rows are as many as 64 at least, and beyond twice that the list is sent whole`() throws
  {
    for row in 0..<250 { try set(row, "c") }
    let patch = try `The patch from any revision`.patch(model, since: 1)
    guard case .array(let whole) = patch else { throw Failure() }
    #expect(whole.count == 1 && whole[0]["path"] == "/rows")
    guard case .array(let late) = try `The patch from any revision`.patch(model, since: revision - 63) else {
      throw Failure()
    }
    #expect(late.count == 63)
    try expectRightPatches()
  }

  @Test mutating func `are right for rows that come, change and go between others`() throws {
    for number in 0..<300 {
      switch number % 5 {
      case 0: try change(.perform(["add"], .string("new \(number)")))
      case 1: try change(.perform(["remove"], .string("n\(number)")))
      case 2: try change(.set(["rows", "items", "new \(number / 5 * 5)", "text"], "changed"))
      case 3: try change(.perform(["remove"], .string("new \(number / 10 * 5)")))
      default: try set(399, "change \(number)")
      }
    }
    try expectRightPatches()
  }

  private struct Failure: Error {}
}
