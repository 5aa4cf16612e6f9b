// SPDX-License-Identifier: MIT
import EventSequences
import ObservableCore
import Testing

/// The law of each operator, as drawings of time.
@Suite struct `The operators` {
  let marbles = Marbles()

  @Test func `S3-6 map transforms each element and filter keeps those that its condition holds for`() {
    let source = marbles.hot("-a-b-c-|").sequence
    #expect(marbles.drawing(of: source.map { $0.uppercased() }) == "-A-B-C-|")
    let other = marbles.hot("-a-b-c-|").sequence
    #expect(marbles.drawing(of: other.filter { $0 != "b" }) == "-a---c-|")
  }

  @Test func `an error that a closure throws is the sequence's error, and stops the source`() {
    func failing<Value>(_: Value) throws -> Value { throw Failure() }
    let sources = [PublishSubject<Int>(), PublishSubject<Int>(), PublishSubject<Int>(), PublishSubject<Int>()]
    let recorders = sources.map { _ in Recorder<Int>() }
    sources[0].sequence.map(failing).subscribe(recorders[0])
    sources[1].sequence.filter { _ in throw Failure() }.subscribe(recorders[1])
    sources[2].sequence.scan(0) { _, _ in throw Failure() }.subscribe(recorders[2])
    sources[3].sequence.flatMapLatest { _ in throw Failure() }.subscribe(recorders[3])
    for source in sources {
      source.onNext(1)
      source.onNext(2)
    }
    #expect(recorders.map(\.text) == Array(repeating: "!failure", count: 4))
    #expect(sources.map(\.subscriberCount) == [0, 0, 0, 0])
  }

  @Test func `S3-6 combineLatest fires after each has fired once, then at every element of any`() {
    let first = marbles.hot("a---b---c----|").sequence
    let second = marbles.hot("--1---2--|").sequence
    let both = EventSequence.combineLatest(first, second) { "[\($0)\($1)]" }
    #expect(marbles.drawing(of: both) == "--[a1]-[b1]-[b2]-[c2]----|")
  }

  @Test func `S3-6 combineLatest takes inputs of different types, as many as wanted, with or without a closure`() {
    let tuples = EventSequence.combineLatest(
      EventSequence.just(1), EventSequence.just("a"), EventSequence.of(true, false))
    #expect(tuples.map { "\($0.0)\($0.1)\($0.2)" }.recorded == "1atrue 1afalse |")
    let sum = EventSequence.combineLatest(.just(1), .just(2.5), .just("x"), .just([3])) {
      (whole: Int, half: Double, name: String, list: [Int]) in "\(whole)\(half)\(name)\(list)"
    }
    #expect(sum.recorded == "12.5x[3] |")
  }

  @Test func `combineLatest completes as soon as an input completes without an element, and fails with any`() {
    let silent = marbles.hot("---|").sequence
    let other = marbles.hot("a-b-c-d-e").sequence
    #expect(marbles.drawing(of: .combineLatest(silent, other) { $0 + $1 }) == "---|")
    let failing = marbles.hot("--!").sequence
    let running = marbles.hot("a---b").sequence
    #expect(marbles.drawing(of: .combineLatest(running, failing) { $0 + $1 }) == "--!")
  }

  @Test func `merge sends the elements of all as they come and completes with the last`() {
    let first = marbles.hot("a--b-|").sequence
    let second = marbles.hot("-1-2----3|").sequence
    #expect(marbles.drawing(of: first.merge(second)) == "a1-(b2)----3|")
    #expect(EventSequence<Int>.merge([]).recorded == "|")
    let failing = marbles.hot("-1-!").sequence
    #expect(marbles.drawing(of: .merge(marbles.hot("a---b").sequence, failing)) == "a1-!")
  }

  @Test
  func `S3-6 concat subscribes the second only after the first completes, and a hot second loses its earlier elements`()
  {
    let first = marbles.cold("-a-b-|")
    let second = marbles.hot("1-2-3-4-5-|").sequence
    #expect(marbles.drawing(of: first.concat(second)) == "-a-b--4-5-|")
    var isSubscribed = false
    let watched = EventSequence<String>.create { observer in
      isSubscribed = true
      observer.onCompleted()
      return nil
    }
    let leading = PublishSubject<String>()
    leading.sequence.concat(watched).subscribe { _ in }
    #expect(!isSubscribed)
    leading.onCompleted()
    #expect(isSubscribed)
    #expect(EventSequence.failed(Failure()).concat(.just(1)).recorded == "!failure")
  }

  @Test func `concat of very many that complete at once needs no deep stack`() {
    let many = EventSequence.concat((0..<100_000).map { EventSequence.just($0) })
    var sum = 0
    many.subscribe { sum += $0 }
    #expect(sum == 100_000 * 99_999 / 2)
  }

  @Test func `S3-6 flatMapLatest switches to the newest inner sequence`() {
    let outer = marbles.hot("a-----b---|").sequence
    let inners = ["a": marbles.cold("1-2-3-4-5-|"), "b": marbles.cold("-x-y---z|")]
    let switched = outer.flatMapLatest { inners[$0] ?? .empty }
    #expect(marbles.drawing(of: switched) == "1-2-3--x-y---z|")
  }

  @Test func `S3-6 flatMapLatest disposes of the previous inner sequence before it subscribes the next`() {
    var log: [String] = []
    func inner(_ name: Int) -> EventSequence<Int> {
      .create { observer in
        log.append("subscribe \(name)")
        return AnyDisposable { withExtendedLifetime(observer) { log.append("dispose \(name)") } }
      }
    }
    let outer = PublishSubject<Int>()
    let subscription = outer.sequence.flatMapLatest(inner).subscribe { _ in }
    outer.onNext(1)
    outer.onNext(2)
    outer.onCompleted()
    #expect(log == ["subscribe 1", "dispose 1", "subscribe 2"])
    subscription.dispose()
    #expect(log.last == "dispose 2")
  }

  @Test func `S3-6 takeUntil completes at the other's first element, ignores its completion and passes its error on`() {
    let source = marbles.hot("-a-b-c-d").sequence
    #expect(marbles.drawing(of: source.takeUntil(marbles.hot("----1-2").sequence)) == "-a-b|")
    let silent = marbles.hot("|").sequence
    #expect(marbles.drawing(of: marbles.hot("-a-|").sequence.takeUntil(silent)) == "-a-|")
    #expect(EventSequence.of(1, 2).takeUntil(EventSequence.just(0)).recorded == "|")
    #expect(EventSequence.of(1, 2).takeUntil(EventSequence<Int>.failed(Failure())).recorded == "!failure")
  }

  @Test func `scan sends each result, from its initial value for each subscription`() {
    let sums = EventSequence.of(1, 2, 3).scan(10, +)
    #expect(sums.recorded == "11 13 16 |")
    #expect(sums.recorded == "11 13 16 |")
  }

  @Test func `distinctUntilChanged drops an element that equals the one before, anew for each subscription`() {
    let distinct = EventSequence.of(1, 1, 2, 2, 1).distinctUntilChanged()
    #expect(distinct.recorded == "1 2 1 |")
    #expect(distinct.recorded == "1 2 1 |")
    #expect(EventSequence.of(1, 3, 2, 4).distinctUntilChanged { $0 % 2 == $1 % 2 }.recorded == "1 2 |")
    #expect(EventSequence<Int?>.of(nil, nil, 1).distinctUntilChanged().map { $0 ?? 0 }.recorded == "0 1 |")
  }

  @Test func `take completes with the last element and startWith comes first`() {
    #expect(EventSequence.of(1, 2, 3).take(2).recorded == "1 2 |")
    #expect(EventSequence.of(1, 2, 3).take(0).recorded == "|")
    #expect(EventSequence.of(1).take(2).recorded == "1 |")
    #expect(EventSequence.of(3).startWith(1, 2).recorded == "1 2 3 |")
  }

  @Test func `debounce sends an element once the interval has passed without another`() {
    let source = marbles.hot("ab--c----de|").sequence
    #expect(marbles.drawing(of: source.debounce(for: .seconds(3), on: marbles.scheduler)) == "-------c---(e|)")
    let failing = marbles.hot("a-!").sequence
    #expect(marbles.drawing(of: failing.debounce(for: .seconds(3), on: marbles.scheduler)) == "--!")
  }

  @Test func `throttle sends at once, then at most one an interval: the newest, or none`() {
    let drawing = "abc-d-----e------f|"
    let latest = marbles.hot(drawing).sequence.throttle(for: .seconds(3), on: marbles.scheduler)
    #expect(marbles.drawing(of: latest) == "a--c--d---e------f|")
    let first = marbles.hot(drawing).sequence.throttle(for: .seconds(3), latest: false, on: marbles.scheduler)
    #expect(marbles.drawing(of: first) == "a---d-----e------f|")
    let ending = marbles.hot("ab|").sequence.throttle(for: .seconds(4), on: marbles.scheduler)
    #expect(marbles.drawing(of: ending) == "a---(b|)")
  }
}
