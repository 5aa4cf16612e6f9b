// SPDX-License-Identifier: MIT

/// A thousand signals, the first of which is written, and one observer of their sum.
public final class UpdateManyToOne<Framework: ReactiveFramework<Int>>: IteratedShape {
  @inlinable public static var width: Int { 1000 }

  @usableFromInline let signals: [Framework.Signal]
  @usableFromInline let latest: Counter
  /// Parts that would go if nobody held them.
  @usableFromInline let kept: Any
  @usableFromInline let written = Counter()

  /// - Parameter latest: the value that the observer was told last.
  @inlinable public init(signals: [Framework.Signal], latest: Counter, keeping kept: Any) {
    self.signals = signals
    self.latest = latest
    self.kept = kept
  }

  @inlinable public func iterate() throws {
    written.count += 1
    try Framework.write(signals[0], written.count)
    try check("update1000to1", latest.count, is: written.count + Self.width * (Self.width - 1) / 2)
  }
}

extension UpdateManyToOne where Framework: TrackingFramework {
  @inlinable public convenience init() {
    let signals = (0..<Self.width).map { Framework.signal($0) }
    let latest = Counter()
    let sum = Framework.computed {
      var sum = 0
      for signal in signals { sum += Framework.read(signal) }
      return sum
    }
    let subscription = Framework.observe(sum) { latest.count = $0 }
    self.init(signals: signals, latest: latest, keeping: (sum, subscription))
  }
}
