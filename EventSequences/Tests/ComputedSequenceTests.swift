// SPDX-License-Identifier: MIT
import EventSequences
import ObservableCore
import Testing

@Suite struct `Computeds and events as sequences` {
  @Test func `a computed sends its present value, then each change, and nothing while it holds an error`() throws {
    let count = Observable(0)
    let inverse = Computed<Int> {
      if count.value == 0 { throw Failure() }
      return 100 / count.value
    }
    let recorder = Recorder<Int>()
    inverse.asSequence().subscribe(recorder)
    #expect(recorder.text == "")
    try count.set(4)
    #expect(throws: Failure.self) { try count.set(0) }
    try count.set(5)
    #expect(recorder.text == "25 20")
  }

  @Test func `an event sends each pulse of a transaction, and completes with the event`() throws {
    var tap: Event<Int>? = Event()
    let recorder = Recorder<Int>()
    let bag = DisposeBag()
    tap?.asSequence().subscribe(recorder).disposed(by: bag)
    try transaction {
      try tap?.send(1)
      try tap?.send(1)
    }
    #expect((recorder.text, bag.count) == ("1 1", 1))
    tap = nil
    #expect((recorder.text, bag.count) == ("1 1 |", 0))
  }

  @Test func `an event takes a sequence's elements`() {
    let event = Event<Int>()
    var told: [Int] = []
    event.addObserver(Observer { told.append($0) })
    EventSequence.of(1, 1, 2).bind(to: event)
    #expect(told == [1, 1, 2])
  }

  @Test func `S3-13 one transaction gives sequences that combine an inconsistent pair on the way, and computeds none`()
    throws
  {
    let (left, right) = (Observable(1), Observable(1))
    let (tens, hundreds) = (Computed { left.value * 10 }, Computed { right.value * 100 })
    let mixed = Recorder<String>()
    EventSequence.combineLatest(tens.asSequence(), hundreds.asSequence()) { "\($0),\($1)" }.subscribe(mixed)
    let clean = Recorder<String>()
    let pair = Computed { "\(tens.value),\(hundreds.value)" }
    pair.asSequence().subscribe(clean)
    try transaction {
      left.value = 2
      right.value = 2
    }
    #expect(mixed.text == "10,100 20,100 20,200")
    #expect(clean.text == "10,100 20,200")
  }
}
