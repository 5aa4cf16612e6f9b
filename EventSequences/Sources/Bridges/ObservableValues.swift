// SPDX-License-Identifier: MIT
public import ObservableCore

/// The values of an observable as an `AsyncSequence`: the present one, then the newest at each time of asking.
///
/// ```swift
/// for await name in login.username.values { … }
/// ```
///
/// A slow consumer gets the newest value and never a queue. The loop ends when the observable goes or its graph is
/// closed, after the last value, or when its task is cancelled, at once. It does not keep the observable alive. A
/// computed that holds an error gives nothing until it has a value.
///
/// Not `Sendable`, as an observable is not: the loop runs in the isolation that the observable lives in. For another
/// isolation, and for algorithms that ask for `Sendable` sequences, there is
/// `sendableValues(isolation:)`.
public struct ObservableValues<Value>: AsyncSequence {
  public typealias Failure = Never

  private weak var observable: ObservableValue<Value>?

  init(_ observable: ObservableValue<Value>) { self.observable = observable }

  public func makeAsyncIterator() -> Iterator { Iterator(observable) }

  /// One loop over an observable's values.
  public struct Iterator: AsyncIteratorProtocol {
    private let newest = NewestValue<Value>()
    private var signals: AsyncStream<Void>.Iterator

    init(_ observable: ObservableValue<Value>?) {
      // One signal is as good as many: the value is fetched when it is taken.
      let (stream, signaling) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
      signals = stream.makeAsyncIterator()
      guard let observable else {
        signaling.finish()
        return
      }
      newest.value = try? observable.get()
      newest.observation = Observation(
        of: observable,
        onChange: { [weak newest] value in
          newest?.value = value
          signaling.yield()
        }, onEnd: signaling.finish)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      while !Task.isCancelled {
        if let value = newest.take() { return value }
        if await signals.next(isolation: actor) == nil { return Task.isCancelled ? nil : newest.take() }
      }
      return nil
    }

    public mutating func next() async -> Value? { await next(isolation: nil) }
  }
}

extension ObservableValue {
  /// The present value, then the newest at each time of asking, in this isolation.
  public var values: ObservableValues<Value> { ObservableValues(self) }
}

/// The newest value that the consumer has not had. The observation ends when this object goes.
private final class NewestValue<Value> {
  var value: Value?
  var observation: Observation<Value>?

  deinit { observation?.dispose() }

  func take() -> Value? {
    defer { value = nil }
    return value
  }
}
