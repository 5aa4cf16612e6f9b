// SPDX-License-Identifier: MIT
import Demos
import Euripus
import Locking

/// A service whose requests go on until the test ends them.
final class HeldFollowService: FollowService, Sendable {
  typealias Requests = AsyncThrowingStream<Double, any Error>

  struct Unspeakable: Error {}

  static let people = ["Anna", "Bert", "Carl"].map { Person(id: $0.lowercased(), name: $0, about: "") }

  /// Those that run, by whom they are about.
  private let running = Locked<[String: Requests.Continuation]>([:])
  /// Whom the requests were about that are over.
  private let (over, overContinuation) = AsyncStream<String>.makeStream()
  /// Whether requests are over at once.
  private let isPrompt: Bool

  init(isPrompt: Bool = false) { self.isPrompt = isPrompt }

  /// The request about this person, or the one for suggestions: to report, to end and to fail.
  subscript(id: String = "suggestions") -> Requests.Continuation {
    guard let request = running.withLock({ $0[id] }) else { fatalError("no request about \(id) was made") }
    return request
  }

  var isIdle: Bool { running.withLock { $0.isEmpty } }

  /// Waits until the next request is over, cancelled or not; its command's code has the turn then.
  func nextOver() async -> String? { await over.first { _ in true } }

  var remembered: [Person] { Self.people }

  nonisolated(nonsending) func suggestions(after count: Int) async throws -> (people: [Person], isLast: Bool) {
    try await request("suggestions") { _ in }
    return ([Person(id: "\(count)", name: "Number \(count)", about: "")], count > 3)
  }

  nonisolated(nonsending) func setFollowed(_ person: Person, _ isFollowed: Bool, report: (Double) -> Void) async throws
  {
    try await request(person.id, report)
  }

  /// A cancelled request is over as if it had succeeded: the least that a service may do about it.
  private nonisolated(nonsending) func request(_ id: String, _ report: (Double) -> Void) async throws {
    if isPrompt { return }
    let (reports, request) = Requests.makeStream()
    running.withLock { $0[id] = request }
    defer {
      running.withLock { $0[id] = nil }
      overContinuation.yield(id)
    }
    for try await part in reports { report(part) }
  }
}
