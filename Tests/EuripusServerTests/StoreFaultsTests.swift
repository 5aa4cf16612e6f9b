// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import Logging
import Sessions
import Testing

@testable import EuripusServer

@Suite struct `Clients of a store that fails` {
  private let clock = Locked(ContinuousClock.now)
  private let lines = Locked<[String]>([])
  private let faults: StoreFaults
  private let logger: Logger

  init() {
    let (clock, lines) = (clock, lines)
    let write: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
    logger = Logger(label: "test") { _ in LineLogHandler(write: write) }
    faults = StoreFaults(logger, now: { clock.withLock { $0 } })
  }

  private func report(_ report: SessionReport) { logger.report(report, id: faults.id(of: report)) }

  /// The id in an answer, and the lines of the log that have it.
  private func told(_ error: SessionError) throws -> (id: String, lines: [String]) {
    let problem = faults.named(Problem(error))
    let id = try String(json: problem.json["id"] ?? .null)
    return (id, lines.withLock { $0 }.filter { $0.contains("id=\(id)") })
  }

  @Test func `are told the id under which the log has the reason, each of them the same`() throws {
    report(.storeFails(reason: "no room at /var/lib/x.db"))
    let first = try told(.storeFull("no room"))
    #expect(first.lines.contains { $0.contains("no room at /var/lib/x.db") })
    for _ in 0..<100 { #expect(try told(.storeFull("no room")).id == first.id) }
    #expect(try told(.storeUnavailable("not now")).id == first.id)
    // The log has one line for the store's reason, and one for each text of the two errors.
    #expect(lines.withLock { $0.count } == 3)
  }

  @Test func `are told an id that is in the log where the store has said nothing`() throws {
    let (id, lines) = try told(.storeUnavailable("another server has it"))
    #expect(lines.count == 1 && lines[0].contains("another server has it"), "\(id)")
  }

  @Test func `are told another id after a minute, which has the reason beside it while the store fails`() throws {
    report(.storeFails(reason: "no room at /var/lib/x.db"))
    let first = try told(.storeFull("no room"))
    clock.withLock { $0 += .seconds(59) }
    #expect(try told(.storeFull("no room")).id == first.id)
    clock.withLock { $0 += .seconds(1) }
    let second = try told(.storeFull("no room"))
    #expect(second.id != first.id)
    #expect(second.lines.count == 1 && second.lines[0].contains("no room at /var/lib/x.db"))
    report(.storeWorks)
    clock.withLock { $0 += .seconds(60) }
    let third = try told(.storeUnavailable("not now"))
    #expect(third.lines.count == 1 && !third.lines[0].contains("/var/lib"))
  }

  @Test func `are told an id under which the log has a session that cannot be made again`() throws {
    report(.restoringFailed(model: "counter", reason: "schema 2"))
    let (_, lines) = try told(.storeUnavailable("not now"))
    #expect(lines.contains { $0.contains("schema 2") })
  }

  @Test func `are the only ones with such an id`() {
    #expect(faults.named(Problem(SessionError.closed)).json["id"] == nil)
    #expect(faults.id(of: .commandFailed(command: "a", model: "b", reason: "c")) == nil)
    #expect(lines.withLock { $0 } == [])
  }

  @Test(arguments: [Problem.Kind.storeFull, .storeUnavailable])
  func `find no path on the page of problems, and an id`(kind: Problem.Kind) {
    #expect(kind.example.json["id"] != nil)
    #expect(!kind.example.detail.contains("/"))
  }
}
