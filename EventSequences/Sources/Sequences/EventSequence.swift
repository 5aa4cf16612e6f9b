// SPDX-License-Identifier: MIT
public import ObservableCore

/// A sequence of events over time: any number of elements, then at most one error or completion (S3-1).
///
/// A sequence is a recipe: each subscription runs it anew, unless ``share(replay:)`` says otherwise. Events arrive in
/// order: one that is sent while another is being delivered is delivered after it, to all. After an error, a completion
/// or a disposal nothing more arrives, not even an event that was sent before and still waits.
///
/// Nobody has to keep the subscription: the source holds it, and once the source has let go of its observer nothing can
/// come any more, so the subscription ends and gives back its resources. A closure that throws sends its error.
///
/// Not `Sendable`: a sequence and its subscriptions live in one isolation. ``BackgroundSource`` crosses into it.
public struct EventSequence<Element> {
  /// An event of a sequence.
  public enum Event {
    /// A new element.
    case next(Element)
    /// The end, because something failed.
    case error(any Error)
    /// The end, because all elements were sent.
    case completed
  }

  let build: (Subscriber<Element>) -> (any Disposable)?

  /// Does as ``create(_:)``.
  init(_ build: @escaping (Subscriber<Element>) -> (any Disposable)?) {
    self.build = build
  }

  /// A sequence of the events that `build` sends to its observer. It runs for each subscription, with an observer of
  /// its own.
  ///
  /// ```swift
  /// let numbers = EventSequence<Int>.create { observer in
  ///   for number in 0...9 { observer.onNext(number) }
  ///   observer.onCompleted()
  ///   return nil
  /// }
  /// ```
  ///
  /// - Parameter build: returns a handle that stops the source and gives back its resources, if there are any. It is
  ///   disposed of once, when the subscription ends in whatever way. A source that lets go of its observer ends the
  ///   subscription.
  public static func create(_ build: @escaping (Subscriber<Element>) -> (any Disposable)?) -> EventSequence {
    EventSequence(build)
  }

  /// Subscribes a closure to every event.
  ///
  /// When `other` has ended, so has the subscription. An operator names its observer here. Otherwise a source that
  /// sends while it is being subscribed would not notice that the observer wants no more.
  ///
  /// - Returns: a handle that ends this subscription. Dropping it ends nothing; `disposed(by:)` binds it to a bag.
  @discardableResult
  public func subscribeToEvents(
    endingWith other: (any Disposable)? = nil, _ handler: @escaping (Event) -> Void
  ) -> any Disposable {
    let subscriber = Subscriber(endingWith: other, handler)
    subscriber.attach(build(subscriber))
    return SubscriptionHandle(subscriber)
  }

  /// Subscribes a closure for each kind of event; a trailing closure gets the elements.
  ///
  /// `onError` gets the error that ends the sequence. Without it an error ends the sequence unnoticed. `other` is as
  /// for ``subscribeToEvents(endingWith:_:)``.
  @discardableResult
  public func subscribe(
    endingWith other: (any Disposable)? = nil, onNext: @escaping (Element) -> Void,
    onError: @escaping (any Error) -> Void = { _ in }, onCompleted: @escaping () -> Void = {}
  ) -> any Disposable {
    subscribeToEvents(endingWith: other) { event in
      switch event {
      case .next(let element): onNext(element)
      case .error(let error): onError(error)
      case .completed: onCompleted()
      }
    }
  }

  /// Subscribes an observer; a ``Binder`` gets the elements on its scheduler.
  @discardableResult
  public func subscribe(_ observer: any EventObserver<Element>) -> any Disposable {
    if let binder = observer as? Binder<Element> { return bind(to: binder) }
    return subscribeToEvents { observer.on($0) }
  }
}

extension EventSequence.Event {
  /// Whether no event can come after this one.
  public var isTerminal: Bool {
    switch self {
    case .next: false
    case .error, .completed: true
    }
  }
}
