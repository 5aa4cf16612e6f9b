// SPDX-License-Identifier: MIT
import EventSequences
import ObservableCore
import Testing

@Suite struct `A sequence of events` {
  @Test func `S3-1 created from a closure, numbers 0 to 9 arrive in order and are followed by the completion`() {
    let numbers = EventSequence<Int>.create { observer in
      for number in 0...9 { observer.onNext(number) }
      observer.onCompleted()
      return nil
    }
    #expect(numbers.recorded == "0 1 2 3 4 5 6 7 8 9 |")
    #expect(numbers.recorded == "0 1 2 3 4 5 6 7 8 9 |")
  }

  @Test func `S3-1 after an error or a completion nothing more arrives`() {
    let failing = EventSequence<Int>.create { observer in
      observer.onNext(1)
      observer.onError(Failure())
      observer.onNext(2)
      observer.onCompleted()
      return nil
    }
    #expect(failing.recorded == "1 !failure")
    let completing = EventSequence<Int>.create { observer in
      observer.onCompleted()
      observer.onNext(2)
      observer.onError(Failure())
      return nil
    }
    #expect(completing.recorded == "|")
  }

  @Test func `S3-1 the ready-made sources send the events that their names say`() {
    #expect(EventSequence.just(1).recorded == "1 |")
    #expect(EventSequence.of(1, 2, 3).recorded == "1 2 3 |")
    #expect(EventSequence.from(1...3).recorded == "1 2 3 |")
    #expect(EventSequence<Int>.empty.recorded == "|")
    #expect(EventSequence<Int>.never.recorded == "")
    #expect(EventSequence<Int>.failed(Failure()).recorded == "!failure")
  }

  @Test func `an endless Swift sequence stops when the subscription ends`() {
    var produced = 0
    let endless = EventSequence.from(
      sequence(first: 0) {
        produced += 1
        return $0 + 1
      })
    #expect(endless.take(3).recorded == "0 1 2 |")
    #expect(produced == 3)
  }

  @Test func `an operator of one's own stops its source if it names its observer`() {
    func doubled(_ sequence: EventSequence<Int>) -> EventSequence<Int> {
      .create { observer in
        sequence.subscribe(
          endingWith: observer, onNext: { observer.onNext(2 * $0) }, onError: observer.onError,
          onCompleted: observer.onCompleted)
      }
    }
    #expect(doubled(.from(sequence(first: 1) { $0 + 1 })).take(3).recorded == "2 4 6 |")
  }

  @Test func `S3-3 each kind of event reaches its closure`() {
    var told: [String] = []
    func subscribe(_ sequence: EventSequence<Int>) {
      sequence.subscribe(
        onNext: { told.append("\($0)") }, onError: { told.append("error \($0)") },
        onCompleted: { told.append("completed") })
    }
    subscribe(.just(1))
    subscribe(.failed(Failure()))
    #expect(told == ["1", "completed", "error failure"])
    EventSequence.of(5, 6).subscribe { told.append("\($0)") }
    #expect(told.suffix(2) == ["5", "6"])
  }

  @Test func `S3-4 the resource is disposed of once, at the completion, the error or the disposal`() {
    for ending in [.completed, .error(Failure()), nil] as [EventSequence<Int>.Event?] {
      var observer: Subscriber<Int>?
      var disposals = 0
      let sequence = EventSequence<Int>.create {
        observer = $0
        return AnyDisposable { disposals += 1 }
      }
      let subscription = sequence.subscribe { _ in }
      #expect((disposals, subscription.isDisposed) == (0, false))
      if let ending { observer?.on(ending) } else { subscription.dispose() }
      #expect((disposals, subscription.isDisposed, observer?.isDisposed) == (1, true, true))
      subscription.dispose()
      subscription.dispose()
      #expect(disposals == 1)
    }
  }

  @Test func `a resource that comes after the end is disposed of at once`() {
    var disposals = 0
    let sequence = EventSequence<Int>.create { observer in
      observer.onCompleted()
      return AnyDisposable { disposals += 1 }
    }
    #expect(sequence.recorded == "|")
    #expect(disposals == 1)
  }

  @Test func `a source that lets go of its observer ends the subscription and gives back the resource`() {
    var observer: Subscriber<Int>?
    var disposals = 0
    let bag = DisposeBag()
    let sequence = EventSequence<Int>.create {
      observer = $0
      return AnyDisposable { disposals += 1 }
    }
    let recorder = Recorder<Int>()
    sequence.map { $0 + 1 }.subscribe(recorder).disposed(by: bag)
    observer?.onNext(1)
    #expect((recorder.text, bag.count, disposals) == ("2", 1, 0))
    observer = nil
    #expect((recorder.text, bag.count, disposals) == ("2", 0, 1))
  }

  @Test func `a subject tells its subscribers, and newcomers only its end`() {
    let subject = PublishSubject<Int>()
    let (early, late, tooLate) = (Recorder<Int>(), Recorder<Int>(), Recorder<Int>())
    subject.onNext(0)
    subject.sequence.subscribe(early)
    subject.onNext(1)
    subject.sequence.subscribe(late)
    subject.onNext(2)
    #expect(subject.subscriberCount == 2)
    subject.onCompleted()
    subject.onNext(3)
    subject.sequence.subscribe(tooLate)
    #expect((early.text, late.text, tooLate.text) == ("1 2 |", "2 |", "|"))
    #expect(subject.subscriberCount == 0)
  }
}
