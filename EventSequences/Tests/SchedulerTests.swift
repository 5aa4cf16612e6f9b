// SPDX-License-Identifier: MIT
import EventSequences
import ObservableCore
import Testing

@Suite struct `A scheduler` {
  @Test func `S3-5 subscribe(on:) decides where the source is built, observe(on:) where results arrive`() {
    let (building, arriving) = (VirtualTimeScheduler(), VirtualTimeScheduler())
    var log: [String] = []
    let source = EventSequence<Int>.create { observer in
      log.append("built")
      observer.onNext(1)
      observer.onCompleted()
      return nil
    }
    source.subscribe(on: building).observe(on: arriving)
      .subscribe(onNext: { log.append("got \($0)") }, onCompleted: { log.append("completed") })
    #expect(log.isEmpty)
    arriving.run()
    #expect(log.isEmpty)
    building.run()
    #expect(log == ["built"])
    arriving.run()
    #expect(log == ["built", "got 1", "completed"])
  }

  @Test func `S3-5 in virtual time runs actions in the order of their time, then of their scheduling`() {
    let scheduler = VirtualTimeScheduler()
    var log: [String] = []
    scheduler.schedule(after: .seconds(2)) { log.append("2a") }
    scheduler.schedule(after: .seconds(1)) {
      log.append("1")
      scheduler.schedule(after: .seconds(1)) { log.append("2c") }
    }
    scheduler.schedule(after: .seconds(2)) { log.append("2b") }
    scheduler.schedule { log.append("0") }
    scheduler.schedule(after: .seconds(1)) { log.append("never") }.dispose()
    scheduler.advance(by: .milliseconds(1500))
    #expect(log == ["0", "1"])
    #expect((scheduler.now, scheduler.pendingCount) == (.milliseconds(1500), 3))
    scheduler.advance(by: .seconds(10))
    #expect(log == ["0", "1", "2a", "2b", "2c"])
    #expect(scheduler.now == .milliseconds(11500))
  }

  @Test func `S3-5 that is immediate runs an action before it returns`() {
    var hasRun = false
    let action = ImmediateScheduler().schedule { hasRun = true }
    #expect(hasRun && action.isDisposed)
  }

  @Test(.timeLimit(.minutes(30))) @MainActor
  func `S3-5 an actor's runs actions in the actor's isolation, in order, and not at once`() async {
    let scheduler = ActorScheduler()
    let (turns, turning) = AsyncStream<Int>.makeStream()
    for number in 1...20 {
      scheduler.schedule {
        MainActor.assertIsolated()
        turning.yield(number)
      }
    }
    scheduler.schedule { turning.yield(-1) }.dispose()
    scheduler.schedule { turning.finish() }
    var told: [Int] = []
    for await turn in turns { told.append(turn) }
    #expect(told == Array(1...20))
  }

  @Test(.timeLimit(.minutes(30))) @MainActor
  func `S3-5 an actor's does not keep the actor alive, and drops the waiting actions when it is gone`() async {
    let clock = ManualClock()
    var layDown = clock.layDown.makeAsyncIterator()
    let (gone, going) = AsyncStream<Void>.makeStream()
    var owner: Owner? = Owner { going.finish() }
    await owner?.scheduleFarAway(on: clock)
    _ = await layDown.next()
    owner = nil
    // The thread on which the actor ran last lets go of it when it gets to that.
    for await _ in gone {}
    clock.advance(by: .seconds(100))
    #expect(clock.sleeperCount == 0)
  }

  @Test(.timeLimit(.minutes(30))) @MainActor
  func `debounce and throttle by a clock of the caller's, in the caller's isolation`() async {
    let clock = ManualClock()
    var layDown = clock.layDown.makeAsyncIterator()
    let subject = PublishSubject<String>()
    let (told, telling) = AsyncStream<String>.makeStream()
    var arrivals = told.makeAsyncIterator()
    let tell = { (letter: String) in
      MainActor.assertIsolated()
      telling.yield(letter)
    }
    let subscription = subject.sequence.debounce(for: .seconds(3), clock: clock).subscribe { tell($0) }
    subject.onNext("a")
    #expect(await layDown.next() == .seconds(3))
    clock.advance(by: .seconds(2))
    subject.onNext("b")
    #expect(await layDown.next() == .seconds(3))
    clock.advance(by: .seconds(3))
    #expect(await arrivals.next() == "b")
    subject.onNext("never")
    #expect(await layDown.next() == .seconds(3))
    subscription.dispose()
    clock.advance(by: .seconds(3))
    #expect(clock.sleeperCount == 0)
    subject.sequence.throttle(for: .seconds(3), clock: clock).subscribe { tell($0) }
    ["c", "d", "e"].forEach(subject.onNext)
    #expect(await arrivals.next() == "c")
    _ = await layDown.next()
    clock.advance(by: .seconds(3))
    #expect(await arrivals.next() == "e")
  }

  @Test func `S3-5 an actor's that is used elsewhere ends the process`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      crashWithoutBacktrace()
      let smuggled = await Owner.shared.smuggledScheduler()
      smuggled.scheduler.schedule {}
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("Incorrect actor executor assumption"))
  }
}

private actor Owner {
  static let shared = Owner {}

  private let onDeinit: @Sendable () -> Void

  init(onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }

  deinit { onDeinit() }

  func smuggledScheduler() -> Smuggled { Smuggled(scheduler: ActorScheduler()) }

  func scheduleFarAway(on clock: ManualClock) {
    ActorScheduler(clock: clock).schedule(after: .seconds(60)) { Issue.record("ran without its actor") }
  }
}

/// Carries a scheduler to a place where the compiler would not let it go.
// @unchecked Sendable: this misuse is the subject of a test.
private struct Smuggled: @unchecked Sendable {
  let scheduler: ActorScheduler
}
