// SPDX-License-Identifier: MIT
import EventSequences
import ObservableCore
import Testing

@Suite struct `A shared sequence` {
  let subject = PublishSubject<Int>()

  /// The subject's elements, as a sequence that counts its subscriptions and elements.
  func counted(_ counts: Counts) -> EventSequence<Int> {
    .create { observer in
      counts.subscriptions += 1
      return subject.sequence.subscribeToEvents {
        counts.events += 1
        observer.on($0)
      }
    }
  }

  final class Counts {
    var subscriptions = 0
    var events = 0
  }

  @Test func `S3-6 S3-12 has one upstream subscription and replays the last element to latecomers`() {
    let counts = Counts()
    let shared = counted(counts).share(replay: 1)
    let (early, late) = (Recorder<Int>(), Recorder<Int>())
    shared.subscribe(early)
    subject.onNext(1)
    subject.onNext(2)
    shared.subscribe(late)
    subject.onNext(3)
    #expect((early.text, late.text) == ("1 2 3", "2 3"))
    #expect((counts.subscriptions, counts.events) == (1, 3))
  }

  @Test(arguments: [(0, "4"), (1, "3 4"), (2, "2 3 4"), (10, "1 2 3 4")])
  func `S3-6 replays as many as it was asked to`(_ count: Int, _ expected: String) {
    let shared = subject.sequence.share(replay: count)
    shared.subscribe { _ in }
    [1, 2, 3].forEach(subject.onNext)
    let late = Recorder<Int>()
    shared.subscribe(late)
    subject.onNext(4)
    #expect(late.text == expected)
  }

  @Test func `S3-6 ends its upstream subscription with the last subscriber, forgets, and starts anew with the next`() {
    let counts = Counts()
    let shared = counted(counts).share(replay: 1)
    let subscriptions = [shared.subscribe { _ in }, shared.subscribe { _ in }]
    subject.onNext(1)
    subscriptions[0].dispose()
    #expect(subject.subscriberCount == 1)
    subscriptions[1].dispose()
    #expect(subject.subscriberCount == 0)
    let next = Recorder<Int>()
    shared.subscribe(next)
    #expect((next.text, counts.subscriptions) == ("", 2))
    subject.onNext(2)
    #expect(next.text == "2")
  }

  @Test func `S3-6 tells everyone of the end, then forgets and starts anew`() {
    var attempts = 0
    var observer: Subscriber<Int>?
    let shared = EventSequence<Int>.create {
      attempts += 1
      observer = $0
      return nil
    }.share(replay: 1)
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    recorders.forEach { shared.subscribe($0) }
    observer?.onNext(1)
    observer?.onError(Failure())
    #expect(recorders.map(\.text) == ["1 !failure", "1 !failure"])
    let next = Recorder<Int>()
    shared.subscribe(next)
    #expect((next.text, attempts) == ("", 2))
    observer?.onNext(5)
    observer?.onCompleted()
    #expect(next.text == "5 |")
    shared.subscribe { _ in }
    #expect(attempts == 3)
  }

  @Test func `S3-6 starts anew for a subscriber that comes as the end is told`() {
    var attempts = 0
    let shared = EventSequence<Int>.create { observer in
      attempts += 1
      if attempts == 1 { observer.onError(Failure()) } else { observer.onNext(attempts) }
      return AnyDisposable { withExtendedLifetime(observer) {} }
    }.share(replay: 1)
    let retried = Recorder<Int>()
    shared.subscribe(onNext: { _ in }, onError: { _ in shared.subscribe(retried) })
    #expect((retried.text, attempts) == ("2", 2))
  }

  @Test func `S3-6 runs a source that completes at once for each subscriber that comes after`() {
    let shared = EventSequence.of(1, 2).share(replay: 1)
    #expect(shared.recorded == "1 2 |")
    #expect(shared.recorded == "1 2 |")
  }

  @Test func `is connected when a subscriber ends the subscription from within, and connects again`() {
    let shared = subject.sequence.startWith(0).share(replay: 1)
    #expect(shared.take(1).recorded == "0 |")
    #expect(subject.subscriberCount == 0)
    #expect(shared.take(1).recorded == "0 |")
    #expect(subject.subscriberCount == 0)
  }
}
