// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Locking
import Seeded
import Testing

/// A run: writers and readers of ledgers, and a server that is killed again and again.
struct KillRun {
  var kills: Int
  var sessions = 3
  var writers = 3
  var options: [String] = []
  var usesNumbers = true
  var readers = 2
  /// The seconds that a process lives at most.
  var life = 0.2...2.5
  /// The points at which a process may kill itself. With `isAlwaysAtPoint`, every process is to.
  var points = ["before-commit", "after-commit", "at-work", "at-claim", "after-claim"]
  var isAlwaysAtPoint = false
  /// The seconds for which writers do nothing now and then; `nil` for never.
  var pauses: ClosedRange<Double>?

  struct Outcome {
    var faults: [String] = []
    /// Ledgers with numbers that were acknowledged and are missing, that were never sent, or that are out of order.
    var wrong: [String] = []
    var acknowledged = 0
    var resent = 0
    var versions = 0
    var interrupted = 0
    /// The number of processes that died at each point.
    var deaths: [String: Int] = [:]
  }

  /// The highest passage of a point at which a process dies. Some points are passed rarely within a life.
  /// Sessions leave memory together, once a second.
  private static func most(_ point: String) -> Int {
    if point.hasSuffix("leaving") { return 1 }
    return point.hasSuffix("claim") || point == "left" ? 3 : 400
  }

  func run(_ generator: inout some RandomNumberGenerator) throws -> Outcome {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("euripus-kills-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let server = try KilledServer(store: directory.appendingPathComponent("sessions.db").path, options: options)

    var (allWriters, allReaders, allSeen): ([Writer], [Reader], [Seen]) = ([], [], [])
    var ends: [DispatchSemaphore] = []
    var ledgers: [(url: String, cookie: String, writers: [Writer])] = []
    func begin(_ body: @escaping @Sendable () -> Void) {
      let end = DispatchSemaphore(value: 0)
      ends.append(end)
      Thread.detachNewThread {
        body()
        end.signal()
      }
    }
    for session in 0..<sessions {
      let client = try TestClient(port: server.port)
      let url = try client.open("ledger")
      let cookie = client.cookie ?? ""
      let seen = Seen()
      let writers = (0..<writers).map { index in
        Writer(
          index, of: url, cookie: cookie, on: server, usesNumbers: usesNumbers, pauses: pauses,
          generator: SeededGenerator(seed: UInt64(session * 16 + index + 1)))
      }
      let readers = (0..<readers).map { _ in Reader(of: url, cookie: cookie, on: server, seen: seen) }
      for writer in writers { begin { writer.run() } }
      for reader in readers { begin { reader.run() } }
      ledgers.append((url, cookie, writers))
      allWriters += writers
      allReaders += readers
      allSeen.append(seen)
    }

    var deaths: [String: Int] = [:]
    var armed: String?
    for kill in 0..<kills {
      let life = Double.random(in: life, using: &generator)
      server.waitForDeath(seconds: life)
      let point = (isAlwaysAtPoint ? points[kill % points.count] : points.randomElement(using: &generator)) ?? ""
      let isAtPoint = isAlwaysAtPoint || Bool.random(using: &generator)
      let count = Int.random(in: 1...Self.most(point), using: &generator)
      let hasDied = try server.replace(isAtPoint ? ["die=\(point):\(count)"] : [])
      if hasDied, let armed { deaths[armed, default: 0] += 1 }
      armed = isAtPoint ? point : nil
    }
    server.waitForDeath(seconds: 0.2)
    try server.replace()
    for writer in allWriters { writer.stop() }
    for reader in allReaders { reader.stop() }
    for end in ends { end.wait() }

    var outcome = Outcome()
    outcome.deaths = deaths
    for (url, cookie, writers) in ledgers {
      let client = try TestClient(port: server.port)
      client.cookie = cookie
      let answer = try client.request("GET", url)
      guard let state = answer.json?["state"] else {
        outcome.wrong.append("\(url): \(answer.status) \(answer.text)")
        continue
      }
      let acknowledged = writers.map { writer in writer.counts.withLock { $0 } }
      for (index, count) in acknowledged.enumerated()
      where state["numbers"]?[index] != .integer(Int64(count.acknowledged)) {
        outcome.wrong.append(
          "writer \(index) has \(count.acknowledged), its ledger \(state["numbers"]?[index] ?? .null)")
      }
      let sent = acknowledged.reduce(0) { $0 + $1.acknowledged }
      if state["total"] != .integer(Int64(sent)) {
        outcome.wrong.append("\(sent) were sent, \(state["total"] ?? .null) done")
      }
      let commands = acknowledged.reduce(0) { $0 + $1.commands }
      if state["begun"] != .integer(Int64(commands)) {
        outcome.wrong.append("\(commands) commands were started, \(state["begun"] ?? .null) ran")
      }
      if state["fault"] != "" { outcome.wrong.append("out of order: \(state["fault"] ?? .null)") }
      outcome.acknowledged += sent
      outcome.resent += acknowledged.reduce(0) { $0 + $1.resent }
      for writer in writers { outcome.faults += writer.faults.withLock { $0 } }
    }
    outcome.faults += allSeen.flatMap(\.faults)
    outcome.versions = allSeen.reduce(0) { $0 + $1.versions }
    outcome.interrupted = allReaders.reduce(0) { $0 + $1.interrupted }
    return outcome
  }
}

/// Runs with EURIPUS_KILLS and EURIPUS_LEAVING_KILLS kills, on a store whose durability is EURIPUS_DURABILITY.
@Suite(.serialized, .timeLimit(.minutes(90))) struct `A server that is killed` {
  private static let environment = ProcessInfo.processInfo.environment
  static let seed = environment["EURIPUS_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1 ... .max)
  static let leavingKills = environment["EURIPUS_LEAVING_KILLS"].flatMap { Int($0) } ?? 15
  static let kills = environment["EURIPUS_KILLS"].flatMap { Int($0) } ?? 15

  @Test func `loses, doubles and reverses nothing that was acknowledged, and shows nothing that is lost`() throws {
    var generator = SeededGenerator(seed: Self.seed)
    var run = KillRun(kills: Self.kills)
    // If there are many kills, each process has a shorter life.
    if Self.kills > 100 { run.life = 0.1...0.8 }
    // With this idle time, sessions leave memory now and then, and come back.
    run.options = ["idle=1000", "durability=\(Self.environment["EURIPUS_DURABILITY"] ?? "relaxed")"]
    let outcome = try run.run(&generator)
    print(
      """
      kills from seed \(Self.seed): \(Self.kills), \(outcome.acknowledged) acknowledged, \(outcome.resent) sent more than \
      once, \(outcome.versions) versions seen, \(outcome.interrupted) commands seen interrupted
      """)
    #expect(outcome.faults == [], "seed \(Self.seed)")
    #expect(outcome.wrong == [], "seed \(Self.seed)")
    #expect(outcome.acknowledged > Self.kills)
    #expect(outcome.resent > 0)
  }

  @Test func `loses, doubles and reverses nothing as sessions leave memory and come back`() throws {
    var generator = SeededGenerator(seed: Self.seed)
    let points = ["before-leaving", "after-leaving", "left", "at-claim", "after-claim"]
    var run = KillRun(kills: Self.leavingKills, sessions: 20, writers: 2)
    run.readers = 0
    // Sessions leave memory at full seconds, so a process lives a little longer than one or two seconds.
    (run.life, run.pauses) = (1.2...2.4, 0...1.5)
    (run.points, run.isAlwaysAtPoint) = (points, true)
    run.options = ["idle=200", "durability=\(Self.environment["EURIPUS_DURABILITY"] ?? "relaxed")"]
    let outcome = try run.run(&generator)
    print(
      """
      leaving, from seed \(Self.seed): \(run.kills) kills, \(outcome.acknowledged) acknowledged, \(outcome.resent) sent \
      more than once, deaths at \(outcome.deaths)
      """)
    #expect(outcome.faults == [], "seed \(Self.seed)")
    #expect(outcome.wrong == [], "seed \(Self.seed)")
    for point in points { #expect(outcome.deaths[point, default: 0] > 0, "\(point), seed \(Self.seed)") }
  }

  @Test func `and that acknowledges before it has stored is found out`() throws {
    var generator = SeededGenerator(seed: Self.seed)
    let outcome = try KillRun(kills: 8, options: ["early"]).run(&generator)
    #expect(!outcome.wrong.isEmpty || !outcome.faults.isEmpty, "seed \(Self.seed)")
  }

  @Test func `and that remembers a few keys only, in place of the last number of each name, is found out`() throws {
    var generator = SeededGenerator(seed: Self.seed)
    let outcome = try KillRun(kills: 12, writers: 8, options: ["keys=1"], usesNumbers: false).run(&generator)
    #expect(outcome.wrong.contains { $0.contains("out of order") || $0.contains("were sent") }, "seed \(Self.seed)")
  }
}
