// SPDX-License-Identifier: MIT
import EventSequences
import ObservableCore
import Seeded
import Testing

@Suite struct `An event that is sent while another is being delivered` {
  @Test func `arrives after it, at every subscriber, in the same order`() {
    let subject = PublishSubject<Int>()
    let (first, last) = (Recorder<Int>(), Recorder<Int>())
    subject.sequence.subscribe(first)
    subject.sequence.subscribe { if $0 < 3 { subject.onNext($0 + 1) } else { subject.onCompleted() } }
    subject.sequence.subscribe(last)
    subject.onNext(1)
    #expect((first.text, last.text) == ("1 2 3 |", "1 2 3 |"))
  }

  @Test func `arrives after it through a share, and a newcomer has each element once`() {
    let subject = PublishSubject<Int>()
    let shared = subject.sequence.share(replay: 1)
    let (newcomer, last) = (Recorder<Int>(), Recorder<Int>())
    shared.subscribe { element in
      if element == 1 {
        subject.onNext(2)
        shared.subscribe(newcomer)
      }
    }
    shared.subscribe(last)
    subject.onNext(1)
    #expect((newcomer.text, last.text) == ("1 2", "1 2"))
  }

  @Test func `from a replayed element arrives after all that is replayed`() {
    let subject = PublishSubject<Int>()
    let shared = subject.sequence.share(replay: 2)
    shared.subscribe { _ in }
    subject.onNext(1)
    subject.onNext(2)
    let recorder = Recorder<Int>()
    var isFirst = true
    recorder.onEvent = { _ in
      if isFirst {
        isFirst = false
        subject.onNext(3)
      }
    }
    shared.subscribe(recorder)
    #expect(recorder.text == "1 2 3")
  }

  @Test func `through two branches of one source keeps each branch's order`() {
    let subject = PublishSubject<Int>()
    let recorder = Recorder<String>()
    recorder.onEvent = { [weak subject] event in
      if case .next("a1") = event { subject?.onNext(2) }
    }
    subject.sequence.map { "a\($0)" }.merge(subject.sequence.map { "b\($0)" }).subscribe(recorder)
    subject.onNext(1)
    #expect(recorder.text == "a1 b1 a2 b2")
  }

  @Test func `S3-4 that ends another subscriber leaves it untold`() {
    let subject = PublishSubject<Int>()
    let victim = Recorder<Int>()
    var subscription: (any Disposable)?
    subject.sequence.subscribe { _ in subscription?.dispose() }
    subscription = subject.sequence.subscribe(victim)
    subject.onNext(1)
    #expect(victim.text == "")
  }

  @Test func `random programs of sends and disposals keep the order of events at every subscriber`() {
    for seed in UInt64(1)...40 {
      var generator = SeededGenerator(seed: seed)
      let subject = PublishSubject<Int>()
      var next = 0
      var depth = 0
      var logs: [[Int]] = []
      var subscriptions: [any Disposable] = []
      func act() {
        guard depth < 4, next < 60 else { return }
        depth += 1
        defer { depth -= 1 }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          let place = logs.count
          logs.append([])
          let subscription = subject.sequence.map { $0 }.merge(.never).subscribe {
            logs[place].append($0)
            act()
          }
          subscriptions.append(subscription)
        case 1:
          if !subscriptions.isEmpty {
            subscriptions[Int.random(in: subscriptions.indices, using: &generator)].dispose()
          }
        default:
          next += 1
          subject.onNext(next)
        }
      }
      for _ in 0..<50 { act() }
      for log in logs {
        // Each subscriber has the numbers from its subscription to its disposal without a gap.
        #expect(zip(log, log.dropFirst()).allSatisfy { $1 == $0 + 1 }, "seed \(seed): \(log)")
      }
      #expect(logs.contains { $0.count > 1 } || next < 2, "seed \(seed)")
    }
  }
}
