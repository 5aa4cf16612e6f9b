// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

private final class Patient: ViewModel {
  @Observed var words = "none"
  private let service: @Sendable () async throws -> Void

  init(_ service: @escaping @Sendable () async throws -> Void) { self.service = service }

  func ask() async throws { try await service() }

  static let surface = Surface<Patient>("patient", .twoWay("words", \.$words), .command("ask", Patient.ask))
}

@Suite(.timeLimit(.minutes(30))) struct `A test that waits` {
  private let gate = Gate<Void>()

  private func patient() throws -> ModelDriver { try ModelDriver { [gate] in Patient { try await gate.pass() } } }

  @Test func `waits for a value by its path`() async throws {
    let driver = try patient()
    try driver.perform("ask")
    async let isOver: Void = driver.wait { $0["ask/executing"] == false }
    gate.open(with: ())
    await isOver
    #expect(driver["ask/error"] == .null)
  }

  @Test func `ends when it is cancelled, as by a time limit, and says how the state was`() async throws {
    let driver = try patient()
    let looks = Gate<Void>()
    try await withKnownIssue {
      let waiting = Task {
        await driver.wait { state in
          looks.open(with: ())
          return state["words"] == "all"
        }
      }
      try await looks.pass()
      waiting.cancel()
      await waiting.value
    } matching: { issue in
      issue.comments.first?.rawValue.contains(#""words":"none""#) == true
    }
  }

  @Test func `for commands or for sleepers ends when it is cancelled`() async throws {
    let driver = try patient()
    try driver.perform("ask")
    let waiting = [Task { await driver.settled() }, Task { await driver.clock.sleepers(1) }]
    for each in waiting {
      each.cancel()
      await each.value
    }
    #expect(driver["ask/executing"] == true)
    gate.open(with: ())
  }
}
