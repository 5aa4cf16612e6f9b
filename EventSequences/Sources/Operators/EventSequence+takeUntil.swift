// SPDX-License-Identifier: MIT
import ObservableCore

extension EventSequence {
  /// The elements until `other` sends its first, which completes the sequence: the alternative to a bag (S3-4).
  ///
  /// `other` is subscribed first. Its completion means nothing; its error fails the sequence.
  public func takeUntil<Other>(_ other: EventSequence<Other>) -> EventSequence {
    EventSequence { observer in
      let end = other.subscribe(
        endingWith: observer, onNext: { _ in observer.onCompleted() }, onError: observer.onError)
      guard !observer.isDisposed else { return end }
      let elements = subscribeToEvents(endingWith: observer) { observer.on($0) }
      return CompositeDisposable(end, elements)
    }
  }
}
