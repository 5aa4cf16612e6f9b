// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import EuripusTesting
import Glibc
import JSONPatching
import Seeded
import Testing

/// Random changes by one client, which others follow, each at its own pace.
@Suite(.serialized, .timeLimit(.minutes(30))) struct `Followers at any pace` {
  /// A board with a text that is long enough to fill every buffer on the way to a reader that does not read.
  private final class Board: ViewModel {
    final class Card: ViewModel {
      let text = Observable("")
      static let surface = Surface<Card>("card", .twoWay("text", \.text))
    }
    let title = Observable("")
    let page = Observable("")
    let cards = KeyedList<Card>()
    let add = Observer<String>()
    let remove = Observer<String>()
    let raise = Observer<String>()
    let print = Observer<Int>()

    init() {
      add.handle(self) { $0.cards.put(Card(), key: $1, at: 0) }
      remove.handle(self) { $0.cards.remove($1) }
      raise.handle(self) { board, key in if board.cards[key] != nil { board.cards.move(key, to: 0) } }
      self.print.handle(self) { $0.page.value = String(repeating: "\($1) ", count: 15_000) }
    }
    static let surface = Surface<Board>(
      "board", .twoWay("title", \.title), .value("page", \.page), .list("cards", \.cards), .action("add", \.add),
      .action("remove", \.remove), .action("raise", \.raise), .action("print", \.print))
  }

  /// The state that a client holds, and the rule by which it changes (PROTOCOL, the second idea).
  private struct Copy {
    private typealias Suite = `Followers at any pace`

    var version: String?
    var state = JSON.null
    var revision: UInt64 = 0

    /// Applies a frame of a poll's answer or of a stream, and checks that it fits the copy's version.
    mutating func take(_ frame: JSON, id: String? = nil) throws {
      guard case .string(let to)? = frame["to"] else { throw Broken(text: "a frame without 'to': \(frame)") }
      try Suite.hold(id == nil || id == to, "the event's id \(id ?? "") is not where its frame ends: \(to)")
      // The frame starts at the version that the reader holds: no change was skipped, and none comes twice.
      try Suite.hold(
        frame["from"] == version.map { .string($0) } ?? .null,
        "a frame from \(frame["from"] ?? .null) for a reader that holds \(version ?? "nothing")")
      let revision = to.split(separator: ".").last.flatMap { UInt64($0) } ?? 0
      try Suite.hold(revision > self.revision, "the version went from \(self.revision) to \(revision)")
      if let patch = frame["patch"] {
        state = try state.applying([PatchOperation](json: patch))
      } else {
        state = frame["state"] ?? .null
      }
      (version, self.revision) = (to, revision)
    }
  }

  private struct Broken: Error { let text: String }

  private static func hold(_ claim: Bool, _ text: @autoclosure () -> String) throws {
    if !claim { throw Broken(text: text()) }
  }

  /// The seeds, as many as `EURIPUS_ROUNDS` says.
  static let seeds = getenv("EURIPUS_ROUNDS").flatMap { UInt64(String(cString: $0)) } ?? 2

  @Test(arguments: 1...seeds)
  func `end with the state of the snapshot, by frames that fit one another`(seed: UInt64) async throws {
    // This test blocks its thread for long, and the commands of other tests need the pool's threads.
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "followers").async { continuation.resume(with: Result { try Self.run(seed) }) }
    }
  }

  private static func run(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let server = try TestServer([.hosting { Board() }]) {
      $0.streams.heartbeat = .milliseconds(5)
      // On a slow machine, a reader that does not read would be cut off.
      $0.listener.streamStallTimeout = .seconds(3_600)
    }
    let writer = try server.client()
    let url = try writer.open("board")
    var current = try writer.version(of: url)

    print("followers: seed \(seed)")
    var streams = try (0..<3).map { _ in (stream: try TestStream(url + "/changes", of: writer), copy: Copy()) }
    var pollers = try (0..<2).map { _ in
      let client = try server.client(as: writer)
      return (client: client, copy: Copy())
    }
    // The number of turns in a hundred in which each reader reads; the first falls far behind.
    let eagerness = [2] + (1..<5).map { _ in Int.random(in: 1...60, using: &generator) }
    var merged = 0

    func read(_ index: Int) throws {
      guard streams[index].copy.version != current, let event = try streams[index].stream.nextEvent() else { return }
      let before = streams[index].copy.revision
      try streams[index].copy.take(try JSONReader.read(Array(event.data.utf8)), id: event.id)
      if streams[index].copy.revision > before + 1, before > 0 { merged += 1 }
    }

    func poll(_ index: Int) throws {
      let since = pollers[index].copy.version
      let query = since.map { "?since=\($0)" } ?? ""
      let response = try pollers[index].client.request("GET", url + "/changes" + query)
      try hold(response.status == (since == current ? 204 : 200), "\(response.status) since \(since ?? "-")")
      if response.status == 200 { try pollers[index].copy.take(response.json ?? .null) }
    }

    for _ in 0..<100 {
      if let changed = try Self.write(writer, url, &generator) { current = changed }
      for index in 0..<5 where Int.random(in: 0..<100, using: &generator) < eagerness[index] {
        try index < 3 ? read(index) : poll(index - 3)
      }
    }

    let snapshot = try writer.request("GET", url)
    try hold(try snapshot.string("version") == current, "the last answer was not the last change")
    for index in 0..<3 { while streams[index].copy.version != current { try read(index) } }
    for index in 0..<2 { while pollers[index].copy.version != current { try poll(index) } }
    for copy in streams.map(\.copy) + pollers.map(\.copy) {
      try hold(copy.state == snapshot.json?["state"], "seed \(seed): \(copy.state) is not \(snapshot.text)")
    }
    // The printed texts have tens of thousands of bytes each. The server cannot have sent them all to a reader
    // that does not read.
    try hold(merged > 0, "seed \(seed): no frame was merged")
  }

  /// Makes a change. Returns the version after it; `nil` if the row is not there.
  private static func write(
    _ client: TestClient, _ url: String, _ generator: inout SeededGenerator
  ) throws -> String? {
    let key = "k\(Int.random(in: 0..<6, using: &generator))"
    let text = "\"\(String(repeating: "é\\n", count: Int.random(in: 0..<4, using: &generator)))\""
    let (method, path, body) =
      switch Int.random(in: 0..<12, using: &generator) {
      case 0...1: ("PUT", "/state/title", text)
      case 2...3: ("POST", "/actions/add", "\"\(key)\"")
      case 4: ("POST", "/actions/remove", "\"\(key)\"")
      case 5: ("POST", "/actions/raise", "\"\(key)\"")
      case 6...7: ("PUT", "/state/cards/items/\(key)/text", text)
      default: ("POST", "/actions/print", "\(Int.random(in: 0..<1_000, using: &generator))")
      }
    let response = try client.request(method, url + path, body)
    if response.status == 422 { return nil }
    guard response.status == 200, case .string(let to)? = response.json?["to"] else {
      throw Broken(text: "\(method) \(path) \(body): \(response.status) \(response.text.prefix(300))")
    }
    return to
  }
}
