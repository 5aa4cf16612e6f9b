// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import Testing

@testable import ViewModels

private final class Card: ViewModel {
  @Observed var text = ""
  @Observed var count = 0
  static let surface = Surface<Card>(
    "card",
    migrations: [
      { state in
        state["text"] = state["name"]
        state["name"] = nil
      }
    ], .twoWay("text", \.$text), .value("count", \.$count))
}

private final class Desk: ViewModel {
  let title = Observable("")
  let pin = Observable("")
  let ratio = Observable(0.5)
  let items = KeyedList<Card>()
  let card = Card()

  static let surface = Surface<Desk>(
    "desk",
    migrations: [
      { state in state["title"] = state["heading"] },
      { state in state["heading"] = nil },
    ], .twoWay("title", \.title), .secret("pin", \.pin), .value("ratio", \.ratio), .nested("card", \.card),
    .list("items", \.items) { _, _ in Card() })
}

@Suite struct `A stored state on trial` {
  private let type = HostedModelType.hosting { Desk() }

  private func trial(_ state: JSON, schema: UInt32 = 3) throws -> RestorationTrial {
    try type.tryOut(state, schema: schema, for: "one")
  }

  @Test func `comes out as it is, but for secrets and for entries that are new`() throws {
    let whole: JSON = [
      "title": "T", "pin~": true, "ratio": 1, "card": ["~schema": 2, "text": "x", "count": 1],
      "items": ["order": ["a"], "gone": [], "items": ["a": ["~schema": 2, "text": "y", "count": 0]]],
    ]
    #expect(try trial(whole) == RestorationTrial(migrations: [], differences: []))
    #expect(try trial(["title": "T"]) == RestorationTrial(migrations: [], differences: []))
  }

  @Test func `says where it would come out different, without a value`() throws {
    let found = try trial([
      "title": "T", "unknown": "secret", "ratio": .null, "card": ["~schema": 2, "text": "x", "old": 1],
    ])
    #expect(
      found.differences == [
        .init(pointer: "/unknown", kind: .lost), .init(pointer: "/ratio", kind: .changed),
        .init(pointer: "/card/old", kind: .lost),
      ])
    #expect(!"\(found)".contains("secret"))
  }

  @Test func `is compared with the result of its migrations, at any depth`() throws {
    let found = try trial(
      [
        "heading": "T",
        "items": [
          "order": ["a", "b"], "gone": [],
          "items": ["a": ["name": "x", "count": 1], "b": ["~schema": 2, "text": "y"]],
        ],
      ], schema: 1)
    #expect(
      found
        == RestorationTrial(
          migrations: [
            .init(pointer: "", model: "desk", from: 1, to: 3),
            .init(pointer: "/items/items/a", model: "card", from: 1, to: 2),
          ], differences: []))
    let lossy = try trial(["heading": "T", "card": ["name": "x", "more": 1]], schema: 1)
    #expect(lossy.differences == [.init(pointer: "/card/more", kind: .lost)])
  }

  @Test func `is refused as for a session`() {
    #expect(throws: StoredStateError.newer(found: 4, known: 3)) { try trial([:], schema: 4) }
    #expect(throws: StoredStateError.unreadable("the stored state at '/card/count': expected integer, got string")) {
      try trial(["card": ["~schema": 2, "count": "many"]])
    }
  }
}

@Suite struct `A log of faults` {
  @Test func `writes one fault of each mistake`() {
    let log = FaultLog()
    let written = Locked<[String]>([])
    log.set { text in written.withLock { $0.append(text) } }
    for row in 1...3 { for list in ["Page.swift:4", "Page.swift:9"] { log.write("row \(row)", of: list) } }
    #expect(written.withLock { $0 } == ["row 1", "row 1"])
  }
}
