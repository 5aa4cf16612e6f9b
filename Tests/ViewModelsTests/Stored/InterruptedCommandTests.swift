// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// An errand of two commands, which are both executed again as it is told that the first one was interrupted.
private final class Errand: ViewModel {
  private let gate: Gate<Int>
  lazy var ask = Command<Void, Void>(self, Errand.pass, name: "ask")
  lazy var bring = Command<Void, Void>(self, Errand.pass, name: "bring")

  init(_ gate: Gate<Int>) { self.gate = gate }

  nonisolated(nonsending) private func pass() async throws { _ = try await gate.pass() }

  func didInterrupt(_ command: String) {
    if command == "ask" { for command in [ask, bring] { command.execute((), isolation: nil) } }
  }

  static let surface = Surface<Errand>("errand", .command("ask", \.ask), .command("bring", \.bring))
}

@Suite(.timeLimit(.minutes(30))) struct `An interrupted command` {
  private let gate = Gate<Int>()
  private let names = ["ask", "bring"]

  @Test func `that its view model executes again goes on in a test of it`() async throws {
    let errand = try ModelDriver { [gate] in Errand(gate) }
    for name in names { try errand.perform(name) }
    try errand.interrupt()
    for name in names { #expect(errand["\(name)/executing"] == true) }
    #expect(gate.waiting == 2)
    for _ in names { gate.open(with: 1) }
    await errand.settled()
    for name in names {
      #expect(errand["\(name)/executing"] == false)
      #expect(errand["\(name)/error"] == .null)
    }
  }

  @Test func `that its view model executes again is in a test of it as after a restart`() async throws {
    let type = HostedModelType.hosting { [gate] in Errand(gate) }
    let errand = try await LivingModel(type)
    for name in names { #expect(await errand.take(.perform(name)) == nil) }
    let restarted = try await LivingModel(type, stored: errand.stored)
    try await errand.interrupt()
    #expect(await errand.state == restarted.state)
    for name in names { #expect(await errand.state[name]?["executing"] == true) }
  }
}
