// SPDX-License-Identifier: MIT
import ObservableCore

/// A source of pulses. There is nothing to read, and every pulse counts.
final class PlainEvent<Value>: PlainNode {
  private var subscriptions: [PlainSubscription<Value>] = []

  func send(_ value: Value) throws {
    if system.isInFormula { throw SystemError.writeInFormula }
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

  func add(_ listener: PlainListener<Value>) -> PlainSubscription<Value> {
    let subscription = PlainSubscription(listener) { [weak self] ended in
      self?.subscriptions.removeAll { $0 === ended }
    }
    subscriptions.append(subscription)
    system.joined(subscription)
    return subscription
  }

  func remove(_ listener: PlainListener<Value>) {
    for subscription in subscriptions where subscription.listener === listener { subscription.dispose() }
  }

  override func tearDown() {
    for subscription in subscriptions { subscription.isActive = false }
    subscriptions = []
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
