// SPDX-License-Identifier: MIT
import EventSequences
import ObservableCore
import Testing

/// An operator in the form that all have in common. It lets at least the first element through, at the latest
/// when its scheduler runs.
struct OperatorCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// Takes the source, a second source, the scheduler and an object to capture.
  let apply: @Sendable (EventSequence<Int>, EventSequence<Int>, VirtualTimeScheduler, Canary) -> EventSequence<Int>

  init(
    _ name: String,
    _ apply:
      @escaping @Sendable (EventSequence<Int>, EventSequence<Int>, VirtualTimeScheduler, Canary) -> EventSequence<Int>
  ) {
    testDescription = name
    self.apply = apply
  }

  /// All operators.
  static var all: [OperatorCase] {
    [
      OperatorCase("map") { a, _, _, c in a.map { keep(c, $0) } },
      OperatorCase("filter") { a, _, _, c in a.filter { _ in keep(c, true) } },
      OperatorCase("scan") { a, _, _, c in a.scan(0) { keep(c, $0 * 0 + $1) } },
      OperatorCase("distinctUntilChanged") { a, _, _, c in a.distinctUntilChanged { _, _ in keep(c, false) } },
      OperatorCase("take") { a, _, _, c in a.map { keep(c, $0) }.take(100) },
      OperatorCase("startWith") { a, _, _, c in a.map { keep(c, $0) }.startWith() },
      OperatorCase("combineLatest") { a, b, _, c in
        .combineLatest(a, b.startWith(0)) { (a: Int, _: Int) in keep(c, a) }
      },
      OperatorCase("merge") { a, b, _, c in a.map { keep(c, $0) }.merge(b) },
      OperatorCase("concat, first") { a, b, _, c in a.map { keep(c, $0) }.concat(b) },
      OperatorCase("concat, second") { a, _, _, c in .concat(.empty, a.map { keep(c, $0) }) },
      OperatorCase("flatMapLatest, outer") { a, _, _, c in a.flatMapLatest { keep(c, .just($0)) } },
      OperatorCase("flatMapLatest, inner") { a, b, _, c in b.startWith(0).flatMapLatest { _ in keep(c, a) } },
      OperatorCase("takeUntil") { a, b, _, c in a.map { keep(c, $0) }.takeUntil(b) },
      OperatorCase("share") { a, _, _, c in a.map { keep(c, $0) }.share(replay: 1) },
      OperatorCase("debounce") { a, _, s, c in a.map { keep(c, $0) }.debounce(for: .seconds(1), on: s) },
      OperatorCase("throttle") { a, _, s, c in a.map { keep(c, $0) }.throttle(for: .seconds(1), on: s) },
      OperatorCase("observe(on:)") { a, _, s, c in a.map { keep(c, $0) }.observe(on: s) },
      OperatorCase("subscribe(on:)") { a, _, s, c in a.map { keep(c, $0) }.subscribe(on: s) },
    ]
  }
}

/// Returns `value`. A closure that calls this captures the canary.
private func keep<Value>(_ canary: Canary, _ value: Value) -> Value { withExtendedLifetime(canary) { value } }

@Suite struct `A subscription through any operator` {
  let source = PublishSubject<Int>()
  let other = PublishSubject<Int>()
  let scheduler = VirtualTimeScheduler()

  func send(_ elements: Int...) {
    elements.forEach(source.onNext)
    scheduler.advance(by: .seconds(10))
  }

  @Test(arguments: OperatorCase.all)
  func `S3-4 is told nothing more when it is disposed of while an event is being delivered`(
    _ operatorCase: OperatorCase
  ) {
    let sequence = operatorCase.apply(source.sequence, other.sequence, scheduler, Canary())
    let recorder = Recorder<Int>()
    var subscription: (any Disposable)?
    recorder.onEvent = { [source] _ in
      // This element is sent before the disposal, and still waits when that comes.
      source.onNext(7)
      subscription?.dispose()
      source.onNext(8)
    }
    subscription = sequence.subscribe(recorder)
    scheduler.run()
    send(1)
    send(2)
    source.onCompleted()
    other.onCompleted()
    scheduler.advance(by: .seconds(10))
    #expect(recorder.text == "1")
    #expect((source.subscriberCount, other.subscriberCount, scheduler.pendingCount) == (0, 0, 0))
    #expect(subscription?.isDisposed == true)
  }

  @Test(arguments: OperatorCase.all)
  func `S3-4 leaves nothing behind when its bag goes`(_ operatorCase: OperatorCase) {
    weak var captured: Canary?
    weak var told: Canary?
    var bag: DisposeBag? = DisposeBag()
    do {
      let (capture, observer) = (Canary(), Canary())
      (captured, told) = (capture, observer)
      let sequence = operatorCase.apply(source.sequence, other.sequence, scheduler, capture)
      let subscription = sequence.subscribe { _ in withExtendedLifetime(observer) {} }
      if let bag { subscription.disposed(by: bag) }
    }
    scheduler.run()
    send(1)
    source.onNext(2)
    #expect(captured != nil && told != nil)
    bag = nil
    #expect(captured == nil && told == nil)
    #expect((source.subscriberCount, other.subscriberCount, scheduler.pendingCount) == (0, 0, 0))
  }

  @Test(arguments: OperatorCase.all)
  func `S3-4 leaves nothing behind, and its bag, when the source goes without a word`(_ operatorCase: OperatorCase) {
    weak var captured: Canary?
    let bag = DisposeBag()
    do {
      let (source, other) = (PublishSubject<Int>(), PublishSubject<Int>())
      let capture = Canary()
      captured = capture
      operatorCase.apply(source.sequence, other.sequence, scheduler, capture).subscribe { _ in }.disposed(by: bag)
      scheduler.run()
      source.onNext(1)
      scheduler.advance(by: .seconds(10))
      #expect(bag.count == 1)
    }
    #expect(captured == nil)
    #expect(bag.count == 0)
  }

  @Test(arguments: OperatorCase.all, [true, false])
  func `S3-1 S3-4 leaves its bag when it has ended by itself, or by an error, which it gets once`(
    _ operatorCase: OperatorCase, fails: Bool
  ) {
    let bag = DisposeBag()
    let recorder = Recorder<Int>()
    let sequence = operatorCase.apply(source.sequence, other.sequence, scheduler, Canary())
    let subscription = sequence.subscribe(recorder)
    subscription.disposed(by: bag)
    scheduler.run()
    send(1)
    #expect(bag.count == 1)
    if fails { source.onError(Failure()) } else { source.onCompleted() }
    if fails { other.onNext(5) } else { other.onCompleted() }
    scheduler.advance(by: .seconds(10))
    #expect((recorder.text, bag.count) == (fails ? "1 !failure" : "1 |", 0))
    #expect(subscription.isDisposed)
    #expect((source.subscriberCount, other.subscriberCount, scheduler.pendingCount) == (0, 0, 0))
  }

  @Test(arguments: OperatorCase.all)
  func `gets an element that is sent while it is being told after the one it is being told`(
    _ operatorCase: OperatorCase
  ) {
    let sequence = operatorCase.apply(source.sequence, other.sequence, scheduler, Canary())
    var told: [String] = []
    sequence.subscribe { [source] element in
      told.append("\(element) begins")
      if element == 1 { source.onNext(2) }
      told.append("\(element) ends")
    }
    scheduler.run()
    send(1)
    #expect(told == ["1 begins", "1 ends", "2 begins", "2 ends"])
  }

  @Test func `S3-4 takeUntil ends a subscription without a bag`() {
    let gone = PublishSubject<Void>()
    let recorder = Recorder<Int>()
    let subscription = source.sequence.takeUntil(gone.sequence).subscribe(recorder)
    send(1)
    gone.onNext()
    send(2)
    #expect((recorder.text, source.subscriberCount, subscription.isDisposed) == ("1 |", 0, true))
  }
}
