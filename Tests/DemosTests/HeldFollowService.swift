// SPDX-License-Identifier: MIT
import Demos
import Euripus
import EuripusTesting

/// A service that holds each request until the test ends it.
final class HeldFollowService: FollowService, Sendable {
  struct Unspeakable: Error {}

  static let people = ["Anna", "Bert", "Carl"].map { Person(id: $0.lowercased(), name: $0, about: "") }

  /// The gates, by the person of a request. A gate lets through the request's progress, and `nil` or an error
  /// at its end.
  private let gates = Dictionary(
    uniqueKeysWithValues: (people.map(\.id) + ["suggestions"]).map { ($0, Gate<Double?>()) })
  /// Whether requests are over at once.
  private let isPrompt: Bool

  init(isPrompt: Bool = false) { self.isPrompt = isPrompt }

  /// The gate of the request about this person, or of the request for suggestions.
  subscript(id: String = "suggestions") -> Gate<Double?> {
    guard let gate = gates[id] else { fatalError("nobody is called \(id); expected one of \(gates.keys)") }
    return gate
  }

  var remembered: [Person] { Self.people }

  nonisolated(nonsending) func suggestions(after count: Int) async throws -> (people: [Person], isLast: Bool) {
    try await request("suggestions") { _ in }
    return ([Person(id: "\(count)", name: "Number \(count)", about: "")], count > 3)
  }

  nonisolated(nonsending) func setFollowed(_ person: Person, _ isFollowed: Bool, report: (Double) -> Void) async throws
  {
    try await request(person.id, report)
  }

  /// A cancelled request ends as if it had succeeded: a service need not do more about it.
  private nonisolated(nonsending) func request(_ id: String, _ report: (Double) -> Void) async throws {
    if isPrompt { return }
    do {
      while let part = try await self[id].pass() { report(part) }
    } catch is CancellationError {}
  }
}
