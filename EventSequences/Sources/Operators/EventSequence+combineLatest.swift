// SPDX-License-Identifier: MIT
import ObservableCore

extension EventSequence {
  /// Sends the value that `transform` makes of the newest element of each input, at every element of any, once each has
  /// sent one.
  ///
  /// It completes when all have completed, or one has without ever sending an element, as nothing can come then. It
  /// fails with the first that fails.
  ///
  /// Inputs that come from one source change one after the other: for one element of the source it sends one for each
  /// of them, and all but the last mix old and new. Where that matters use a `Computed` or an `ObservableCombiner`,
  /// which are told once a transaction (S3-13).
  public static func combineLatest<each Input>(
    _ inputs: repeat EventSequence<each Input>, transform: @escaping (repeat each Input) throws -> Element
  ) -> EventSequence {
    EventSequence { observer in
      let latest = (repeat LatestElement<each Input>())
      let combining = CombiningLatest(observer) { try transform(repeat (each latest).get()) }
      repeat combining.expect(each inputs)
      repeat combining.subscribe(to: each inputs, latest: each latest)
      return combining.upstream
    }
  }

  /// The newest element of each input, at every element of any, once each has sent one.
  ///
  /// As ``combineLatest(_:transform:)``, which says when it ends.
  public static func combineLatest<each Input>(
    _ inputs: repeat EventSequence<each Input>
  ) -> EventSequence where Element == (repeat each Input) {
    combineLatest(repeat each inputs) { (values: repeat each Input) in (repeat each values) }
  }
}

/// The newest element of one input, once there is one.
private final class LatestElement<Element> {
  private(set) var isSet = false
  private var element: Element?

  /// Returns whether it is the first.
  func set(_ element: Element) -> Bool {
    defer { isSet = true }
    self.element = element
    return !isSet
  }

  func get() -> Element {
    guard let element else { stopProgram(bug: "combineLatest ran before each of its inputs had sent an element") }
    return element
  }
}

/// One subscription to a `combineLatest`.
private final class CombiningLatest<Output> {
  private let observer: Subscriber<Output>
  private let combine: () throws -> Output
  let upstream = CompositeDisposable()
  /// The number of inputs that have not sent an element.
  private var silent = 0
  /// The number of inputs that have not completed.
  private var running = 0

  init(_ observer: Subscriber<Output>, _ combine: @escaping () throws -> Output) {
    self.observer = observer
    self.combine = combine
  }

  /// Counts an input, before any is subscribed.
  func expect<Input>(_: EventSequence<Input>) {
    silent += 1
    running += 1
  }

  func subscribe<Input>(to input: EventSequence<Input>, latest: LatestElement<Input>) {
    guard !observer.isDisposed else { return }
    let subscription = input.subscribe(
      endingWith: observer,
      onNext: { [self] element in
        if latest.set(element) { silent -= 1 }
        if silent == 0 { observer.attempt { observer.onNext(try combine()) } }
      }, onError: observer.onError,
      onCompleted: { [self] in
        running -= 1
        if running == 0 || !latest.isSet { observer.onCompleted() }
      })
    upstream.insert(subscription)
  }
}
