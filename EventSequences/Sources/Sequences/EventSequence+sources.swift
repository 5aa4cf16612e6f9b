// SPDX-License-Identifier: MIT

extension EventSequence {
  /// One element, then the completion.
  public static func just(_ element: Element) -> EventSequence { from(CollectionOfOne(element)) }

  /// These elements, then the completion.
  public static func of(_ elements: Element...) -> EventSequence { from(elements) }

  /// The elements of a Swift sequence, then the completion; each subscription iterates it.
  ///
  /// It stops as soon as the subscription ends, so the sequence may be endless.
  public static func from(_ elements: some Sequence<Element>) -> EventSequence {
    EventSequence { observer in
      for element in elements {
        if observer.isDisposed { return nil }
        observer.onNext(element)
      }
      observer.onCompleted()
      return nil
    }
  }

  /// No element: completes at once.
  public static var empty: EventSequence {
    EventSequence { observer in
      observer.onCompleted()
      return nil
    }
  }

  /// No event, ever. A subscription to it has ended as soon as it is made.
  public static var never: EventSequence { EventSequence { _ in nil } }

  /// No element: fails at once.
  public static func failed(_ error: any Error) -> EventSequence {
    EventSequence { observer in
      observer.onError(error)
      return nil
    }
  }
}
