// SPDX-License-Identifier: MIT
import ObservableCore

extension EventSequence {
  /// The elements of the sequence that `transform` makes of the newest element; the one before is disposed of (S3-6).
  ///
  /// The previous inner sequence has ended before the next is subscribed. It completes when this sequence and the last
  /// inner one have, and fails with whichever fails.
  public func flatMapLatest<Output>(
    _ transform: @escaping (Element) throws -> EventSequence<Output>
  ) -> EventSequence<Output> {
    EventSequence<Output> { observer in
      let inner = SerialDisposable()
      var isOuterRunning = true
      var isInnerRunning = false
      let outer = subscribe(
        endingWith: observer,
        onNext: { element in
          observer.attempt {
            let sequence = try transform(element)
            inner.replace(with: nil)
            // Ending the previous inner sequence may have run user code that ends this subscription.
            guard !observer.isDisposed else { return }
            isInnerRunning = true
            let subscription = sequence.subscribe(
              endingWith: observer, onNext: observer.onNext, onError: observer.onError,
              onCompleted: {
                isInnerRunning = false
                if !isOuterRunning { observer.onCompleted() }
              })
            inner.replace(with: subscription)
          }
        }, onError: observer.onError,
        onCompleted: {
          isOuterRunning = false
          if !isInnerRunning { observer.onCompleted() }
        })
      return CompositeDisposable(outer, inner)
    }
  }
}
