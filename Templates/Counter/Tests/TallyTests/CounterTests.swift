import Euripus
import EuripusTesting
import Testing

@testable import Tally

@Suite struct `A counter` {
  @Test func `counts, and does not go below zero`() throws {
    let counter = try ModelDriver { Counter() }
    #expect(throws: SurfaceError.self) { try counter.perform("takeBack") }
    try counter.perform("add")
    #expect(counter["count"] == 1)
  }
}
