// SPDX-License-Identifier: MIT
import ObservableCore

extension EventSequence {
  /// Each element, transformed. An error that `transform` throws ends the sequence.
  public func map<Output>(_ transform: @escaping (Element) throws -> Output) -> EventSequence<Output> {
    transformed { element, observer in observer.onNext(try transform(element)) }
  }

  /// The elements for which `isIncluded` holds.
  public func filter(_ isIncluded: @escaping (Element) throws -> Bool) -> EventSequence {
    transformed { element, observer in
      if try isIncluded(element) { observer.onNext(element) }
    }
  }

  /// Gives for each element the result that `accumulate` makes of it and of the result before, which is `initial` at
  /// first.
  ///
  /// `initial` itself is not sent. Each subscription starts from `initial`.
  public func scan<Result>(
    _ initial: Result, _ accumulate: @escaping (Result, Element) throws -> Result
  ) -> EventSequence<Result> {
    EventSequence<Result> { observer in
      var result = initial
      return transformed { (element, observer: Subscriber<Result>) in
        result = try accumulate(result, element)
        observer.onNext(result)
      }.build(observer)
    }
  }

  /// The elements that are not equal, by `areEqual`, to the element before.
  public func distinctUntilChanged(by areEqual: @escaping (Element, Element) throws -> Bool) -> EventSequence {
    EventSequence { observer in
      var last: Element?
      return transformed { (element, observer: Subscriber<Element>) in
        if let before = last, try areEqual(before, element) { return }
        last = element
        observer.onNext(element)
      }.build(observer)
    }
  }

  /// The first `count` elements, then the completion, at once with the last of them.
  public func take(_ count: Int) -> EventSequence {
    if count < 0 {
      stopProgram("take(_:) got \(count)", expected: "0 elements or more", remedy: "give a count that is not negative")
    }
    if count == 0 { return .empty }
    return EventSequence { observer in
      var remaining = count
      return transformed { (element, observer: Subscriber<Element>) in
        // The observer of the last element may make the source send more.
        guard remaining > 0 else { return }
        remaining -= 1
        observer.onNext(element)
        if remaining == 0 { observer.onCompleted() }
      }.build(observer)
    }
  }

  /// `elements`, then those of this sequence, which is subscribed after them.
  public func startWith(_ elements: Element...) -> EventSequence {
    EventSequence.from(elements).concat(self)
  }

  /// A sequence with a subscription of its own upstream, whose elements `body` handles; other events go through.
  func transformed<Output>(
    _ body: @escaping (Element, Subscriber<Output>) throws -> Void
  ) -> EventSequence<Output> {
    EventSequence<Output> { observer in
      subscribe(
        endingWith: observer, onNext: { element in observer.attempt { try body(element, observer) } },
        onError: observer.onError,
        onCompleted: observer.onCompleted)
    }
  }
}

extension EventSequence where Element: Equatable {
  /// The elements that differ from the one before.
  public func distinctUntilChanged() -> EventSequence { distinctUntilChanged(by: ==) }
}
