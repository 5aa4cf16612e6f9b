// SPDX-License-Identifier: MIT

/// A service in memory, as slow as one far away: some people of computing's history, one of whom it often cannot reach.
///
/// The first request to follow Kurt Gödel fails, and then every third.
public final class MemoryFollowService: FollowService {
  /// The number of people that it suggests at once.
  static let batch = 4

  private let people: [Person]
  private let pause: @Sendable (Duration) async throws -> Void
  private var requestsForGödel = 0

  /// - Parameter pause: lets the time pass that a request takes.
  public init(
    people: [Person] = Person.pioneers,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.people = people
    self.pause = pause
  }

  public var remembered: [Person] { Array(people.prefix(Self.batch)) }

  public func suggestions(after count: Int) async throws -> (people: [Person], isLast: Bool) {
    try await pause(.milliseconds(600))
    let rest = people.dropFirst(count)
    return (Array(rest.prefix(Self.batch)), rest.count <= Self.batch)
  }

  public func setFollowed(
    _ person: Person, _ isFollowed: Bool, report: (Double) -> Void
  ) async throws {
    let fails = isFollowed && cannotReach(person)
    for tenth in 1...10 {
      try await pause(.milliseconds(150))
      if fails, tenth == 7 { throw NoAnswer(about: person.name) }
      report(Double(tenth) / 10)
    }
  }

  private func cannotReach(_ person: Person) -> Bool {
    guard person.id == "goedel" else { return false }
    requestsForGödel += 1
    return requestsForGödel % 3 == 1
  }
}

extension Person {
  /// The people whom the demo suggests.
  public static let pioneers = [
    Person(id: "lovelace", name: "Ada Lovelace", about: "Published a program for the Analytical Engine, 1843"),
    Person(id: "turing", name: "Alan Turing", about: "On Computable Numbers, 1936"),
    Person(id: "hopper", name: "Grace Hopper", about: "The A-0 system, an early compiler, 1952"),
    Person(id: "goedel", name: "Kurt Gödel", about: "The incompleteness theorems, 1931"),
    Person(id: "shannon", name: "Claude Shannon", about: "A Mathematical Theory of Communication, 1948"),
    Person(id: "booth", name: "Kathleen Booth", about: "An early assembly language, 1947"),
    Person(id: "dijkstra", name: "Edsger W. Dijkstra", about: "Shortest paths, semaphores, structured programming"),
    Person(id: "allen", name: "Frances Allen", about: "Foundations of optimizing compilers"),
    Person(id: "mccarthy", name: "John McCarthy", about: "Lisp, 1958"),
    Person(id: "nygaard", name: "Kristen Nygaard", about: "Simula and the object, with Ole-Johan Dahl, 1967"),
  ]
}
