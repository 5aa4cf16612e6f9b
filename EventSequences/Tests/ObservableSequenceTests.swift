// SPDX-License-Identifier: MIT
import EventSequences
import ObservableCore
import Testing

@Suite struct `An observable as a sequence` {
  @Test func `sends the present value, then each change, a transaction as one`() throws {
    let count = Observable(1)
    let recorder = Recorder<Int>()
    let subscription = count.asSequence().subscribe(recorder)
    count.value = 2
    count.value = 2
    try transaction {
      count.value = 3
      count.value = 4
    }
    #expect(recorder.text == "1 2 4")
    subscription.dispose()
    count.value = 5
    #expect(recorder.text == "1 2 4")
  }

  @Test func `completes when the observable goes, and does not keep it`() {
    var count: Observable<Int>? = Observable(1)
    let recorder = Recorder<Int>()
    let bag = DisposeBag()
    count?.asSequence().subscribe(recorder).disposed(by: bag)
    #expect(bag.count == 1)
    count = nil
    #expect((recorder.text, bag.count) == ("1 |", 0))
  }

  @Test func `completes when its graph is closed`() {
    let graph = Graph()
    let count = graph.enter { Observable(1) }
    let recorder = Recorder<Int>()
    count.asSequence().map { $0 * 10 }.subscribe(recorder)
    count.value = 2
    graph.close()
    count.value = 3
    #expect(recorder.text == "10 20 |")
  }

  @Test func `misses no write that its first element causes`() {
    let count = Observable(1)
    let recorder = Recorder<Int>()
    recorder.onEvent = { if case .next(1) = $0 { count.value = 2 } }
    count.asSequence().subscribe(recorder)
    #expect(recorder.text == "1 2")
  }

  @Test func `takes a sequence's elements, unretained`() {
    let subject = PublishSubject<Int>()
    var count: Observable<Int>? = Observable(0)
    weak let watched = count
    if let count { subject.sequence.bind(to: count) }
    subject.onNext(5)
    #expect(count?.value == 5)
    count = nil
    #expect(watched == nil)
    subject.onNext(6)
    subject.onCompleted()
    #expect(subject.subscriberCount == 0)
  }

  @Test func `an observer is invoked with a sequence's elements, until the disposal`() {
    let subject = PublishSubject<Int>()
    var told: [Int] = []
    let subscription = subject.sequence.bind(to: Observer { told.append($0) })
    subject.onNext(1)
    subscription.dispose()
    subject.onNext(2)
    #expect(told == [1])
  }

  @Test func `an error of the sequence, or of its observers, reaches the binding's handler`() {
    var errors: [String] = []
    let subject = PublishSubject<Int>()
    let count = Observable(0)
    count.addObserver(Observer { if $0 == 2 { throw Failure() } })
    subject.sequence.bind(to: count, onError: { errors.append("written: \($0)") })
    subject.sequence.bind(to: Observer { _ in throw Failure() }, onError: { errors.append("invoked: \($0)") })
    subject.onNext(1)
    #expect(errors == ["invoked: failure"])
    subject.onNext(2)
    #expect(errors.suffix(2) == ["written: failure", "invoked: failure"])
    subject.onError(Failure())
    #expect(errors.suffix(2) == ["written: failure", "invoked: failure"])
    #expect((errors.count, count.value) == (5, 2))
  }

  @Test func `S3-3 an error that reaches a binding without a handler ends the process, naming the observable`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      crashWithoutBacktrace()
      let count = Observable(0, name: "count")
      EventSequence<Int>.failed(Failure()).bind(to: count)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("the binding to count (EventSequencesTests/ObservableSequenceTests.swift:"))
    #expect(message.contains("got 'failure'; expected none without 'onError:'"))
  }
}
