// SPDX-License-Identifier: MIT
import ObservableCore

extension EventSequence {
  /// The elements of all, as they come. It completes when all have, and fails with the first that fails.
  public static func merge(_ inputs: EventSequence...) -> EventSequence { merge(inputs) }

  /// Does as ``merge(_:)-(EventSequence<Element>...)``, with an array.
  public static func merge(_ inputs: [EventSequence]) -> EventSequence {
    if inputs.isEmpty { return .empty }
    return EventSequence { observer in
      let upstream = CompositeDisposable()
      var running = inputs.count
      for input in inputs where !observer.isDisposed {
        let subscription = input.subscribe(
          endingWith: observer, onNext: observer.onNext, onError: observer.onError,
          onCompleted: {
            running -= 1
            if running == 0 { observer.onCompleted() }
          })
        upstream.insert(subscription)
      }
      return upstream
    }
  }

  /// The elements of both, as they come.
  public func merge(_ other: EventSequence) -> EventSequence { .merge([self, other]) }
}
