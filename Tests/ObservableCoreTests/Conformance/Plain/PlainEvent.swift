// SPDX-License-Identifier: MIT
import ObservableCore

/// A source of pulses. There is nothing to read, and every pulse counts.
final class PlainEvent<Value>: PlainTeller<Value> {
  func send(_ value: Value) throws {
    if system.isInFormula { throw ObservableError.writeInFormula(name) }
    let pulse = PlainPulse(system, name: name, depth: system.pulseDepth + 1) { [subscriptions, system] in
      for subscription in subscriptions where subscription.isActive {
        system.guarding { try subscription.listener.handler?(value) }
        system.settle()
        if system.isAborted { return }
      }
    }
    switch system.phase {
    case .idle: try system.transaction(.finish) { system.undecided.append(pulse) }
    case .collecting: system.undecided.append(pulse)
    case .settling: system.enqueue(pulse)
    }
  }
}

/// One pulse on its way to the listeners that were there when it was sent.
private final class PlainPulse: PlainNode {
  private let depth: Int
  private let body: () -> Void

  init(_ system: PlainSystem, name: String, depth: Int, _ body: @escaping () -> Void) {
    self.depth = depth
    self.body = body
    super.init(system, name: name)
  }

  override func decide() { system.enqueue(self) }

  override func tell() {
    if depth > PlainSystem.maxTurns { return system.guarding { throw system.unsettled([self]) } }
    system.pulseDepth = depth
    defer { system.pulseDepth = 0 }
    body()
  }
}
