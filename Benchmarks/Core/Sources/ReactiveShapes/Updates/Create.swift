// SPDX-License-Identifier: MIT

/// A signal, a computed of it, and an observer of the computed.
public struct Chain<Framework: ReactiveFramework<Int>> {
  @usableFromInline let signal: Framework.Signal
  @usableFromInline let computed: Framework.Computed
  @usableFromInline let subscription: Framework.Subscription

  @inlinable public init(
    signal: Framework.Signal, computed: Framework.Computed, subscription: Framework.Subscription
  ) {
    self.signal = signal
    self.computed = computed
    self.subscription = subscription
  }
}

extension Chain where Framework: TrackingFramework {
  @inlinable public init(_ value: Int, _ calls: Counter) {
    let signal = Framework.signal(value)
    let computed = Framework.computed { Framework.read(signal) + 1 }
    let subscription = Framework.observe(computed) { _ in calls.count += 1 }
    self.init(signal: signal, computed: computed, subscription: subscription)
  }
}

/// The making and the end of chains. All are alive together. Every hundredth is written once, to prove that it is
/// connected; then all are dropped.
public struct Create<Framework: ReactiveFramework<Int>>: Shape {
  @usableFromInline let make: (Int, Counter) -> Chain<Framework>

  @inlinable public init(_ make: @escaping (Int, Counter) -> Chain<Framework>) { self.make = make }

  @inlinable public func run(_ iterations: Int) throws -> Duration {
    let calls = Counter()
    var expected = 0
    let duration = try ProcessorTime.measure {
      var chains: [Chain<Framework>] = []
      chains.reserveCapacity(iterations)
      for value in 0..<iterations { chains.append(make(value, calls)) }
      calls.count = 0
      for place in stride(from: 0, to: iterations, by: 100) {
        try Framework.write(chains[place].signal, -1)
        try check("create: a chain's computed", Framework.read(chains[place].computed), is: 0)
        expected += 1
      }
    }
    try checkCalls("create", calls.count, is: expected, in: Framework.self)
    return duration
  }

  @inlinable public func warmUp() throws { _ = try run(100) }
}
