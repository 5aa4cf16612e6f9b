// SPDX-License-Identifier: MIT

/// One signal that is written, and observers of it: 1 or 1000.
public final class UpdateOneToMany<Framework: ReactiveFramework<Int>>: IteratedShape {
  @usableFromInline let signal: Framework.Signal
  @usableFromInline let observers: Int
  @usableFromInline let calls = Counter()
  @usableFromInline let subscriptions: [Framework.Subscription]
  @usableFromInline let written = Counter()

  @inlinable public init(observers: Int) {
    self.observers = observers
    let signal = Framework.signal(0)
    self.signal = signal
    subscriptions = (0..<observers).map { [calls] _ in Framework.observe(signal) { _ in calls.count += 1 } }
  }

  @inlinable public func iterate() throws {
    written.count += 1
    try Framework.write(signal, written.count)
  }

  @inlinable public func run(_ iterations: Int) throws -> Duration {
    calls.count = 0
    let duration = try ProcessorTime.measure {
      for _ in 0..<iterations { try iterate() }
    }
    try checkCalls("update of one signal", calls.count, is: iterations * observers, in: Framework.self)
    return duration
  }
}
