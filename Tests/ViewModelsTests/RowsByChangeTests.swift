// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@Suite struct `The changes of a list's rows` {
  private final class Table: ViewModel {
    final class Row: ViewModel {
      @Observed var text: String
      @Observed var flag = false
      init(_ text: String) { self.text = text }
      static let surface = Surface<Row>("row", .twoWay("text", \.$text), .twoWay("flag", \.$flag))
    }

    let rows = KeyedList<Row>()

    init(_ text: String) { rows.update((0..<400).map { "n\($0)" }) { Row("\(text) of \($0)") } }

    func add(_ key: String) { rows.append(Row("new"), key: key) }
    func remove(_ key: String) { rows.remove(key) }

    static let surface = Surface<Table>(
      "table", .list("rows", \.rows), .action("add", Table.add), .action("remove", Table.remove))
  }

  private let model: any HostedModel
  private var revision: UInt64 = 1
  private var states: [UInt64: JSON] = [:]

  private init() throws { try self.init(text: "text") }

  private init(text: String) throws {
    model = try hosted { Table(text) }
    states[1] = try model.state
  }

  private mutating func change(_ change: Change) throws {
    try model.apply(change)
    if model.stamp(revision + 1) { revision += 1 }
    states[revision] = try model.state
  }

  private func patch(since revision: UInt64) throws -> [JSON] {
    guard case .array(let operations) = try model.patch(since: revision) else { return [] }
    return operations
  }

  private func expectRightPatches() throws {
    for (since, state) in states {
      let patch = try model.patch(since: since)
      #expect(try state.applying([PatchOperation](json: patch)) == states[revision], "since \(since)")
    }
  }

  @Test func `are one for a row that has changed a thousand times`() throws {
    for number in 0..<1_000 {
      try model.apply(.set("rows/items/n7/text", .string("change \(number)")))
      #expect(model.stamp(UInt64(number) + 2))
    }
    #expect(
      try patch(since: 1) == [["op": "replace", "path": "/rows/items/n7/text", "value": "change 999"]])
  }

  @Test func `are known for each of 400 long rows`() throws {
    let table = try Self(text: String(repeating: "long ", count: 100))
    for row in 0..<400 {
      try table.model.apply(.set("rows/items/n\(row)/flag", true))
      #expect(table.model.stamp(UInt64(row) + 2))
    }
    for since in 1...400 {
      // Revision 1 has no flag, and each one sets the next row's.
      let expected = (since - 1..<400).map { row -> JSON in
        ["op": "replace", "path": .string("/rows/items/n\(row)/flag"), "value": true]
      }
      let patch = try table.patch(since: UInt64(since))
      #expect(patch == expected, "since \(since)")
    }
  }

  @Test mutating func `are known for 64 short rows at least, and beyond twice that the list is sent whole`() throws {
    for row in 0..<250 { try change(.set("rows/items/n\(row)/text", "c")) }
    #expect(try patch(since: 1).map { $0["path"] } == ["/rows"])
    #expect(try patch(since: revision - 63).count == 63)
    try expectRightPatches()
  }

  @Test mutating func `are right for rows that come, change and go between others`() throws {
    for number in 0..<300 {
      switch number % 5 {
      case 0: try change(.perform("add", .string("new \(number)")))
      case 1: try change(.perform("remove", .string("n\(number)")))
      case 2: try change(.set("rows/items/new \(number / 5 * 5)/text", "changed"))
      case 3: try change(.perform("remove", .string("new \(number / 10 * 5)")))
      default: try change(.set("rows/items/n399/text", .string("change \(number)")))
      }
    }
    try expectRightPatches()
  }
}
