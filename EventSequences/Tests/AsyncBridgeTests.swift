// SPDX-License-Identifier: MIT
import Dispatch
import EventSequences
import ObservableCore
import Testing

@Suite(.timeLimit(.minutes(30))) @MainActor struct `Between sequences and async code` {
  @Test func `S3-2 a Single is awaited: one element xor an error`() async throws {
    #expect(try await EventSequence.just(Text("a")).single().text == "a")
    await #expect(throws: Failure.self) { try await EventSequence<Int>.failed(Failure()).single() }
    await #expect(throws: EventSequenceError.noElement) { try await EventSequence<Int>.empty.single() }
    await #expect(throws: EventSequenceError.severalElements) { try await EventSequence.of(1, 2, 3).single() }
  }

  @Test func `S3-2 a Maybe is awaited: an element, the completion or an error`() async throws {
    #expect(try await EventSequence.of(1, 2).first() == 1)
    #expect(try await EventSequence<Int>.empty.first() == nil)
    await #expect(throws: Failure.self) { try await EventSequence<Int>.failed(Failure()).first() }
  }

  @Test func `S3-2 a Completable is awaited: the completion xor an error`() async throws {
    try await EventSequence.of(1, 2).completion()
    await #expect(throws: Failure.self) {
      try await EventSequence.of(1).concat(.failed(Failure())).completion()
    }
  }

  @Test func `awaiting resumes on an event from elsewhere in the isolation, and then is not subscribed any more`()
    async throws
  {
    let subject = PublishSubject<Int>()
    let waiting = Task.immediate { try await subject.sequence.first() }
    #expect(subject.subscriberCount == 1)
    subject.onNext(7)
    #expect(subject.subscriberCount == 0)
    #expect(try await waiting.value == 7)
  }

  @Test func `awaiting ends when its task is cancelled, and with its source`() async {
    let subject = PublishSubject<Int>()
    let waiting = Task.immediate { try await subject.sequence.first() }
    #expect(subject.subscriberCount == 1)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(subject.subscriberCount == 0)
    await #expect(throws: EventSequenceError.abandoned) { try await EventSequence<Int>.never.first() }
  }

  @Test func `an async sequence is bound to an observable, in the owner's isolation`() async {
    let (stream, source) = AsyncStream<Int>.makeStream()
    let count = Observable(0)
    var values = count.values.makeAsyncIterator()
    let binding = stream.bind(to: count)
    count.addObserver(Observer { _ in MainActor.assertIsolated() })
    #expect(await values.next(isolation: #isolation) == 0)
    source.yield(1)
    #expect(await values.next(isolation: #isolation) == 1)
    #expect(!binding.isDisposed)
    source.yield(2)
    binding.dispose()
    #expect(binding.isDisposed)
    source.yield(3)
    await Self.termination(of: source, stream)
    #expect(count.value == 1)
  }

  @Test func `an async sequence whose element comes after the disposal is asked once more, and learns of it`() async {
    let count = Observable(0)
    let holder = Holder()
    let (asked, asking) = AsyncStream<Bool>.makeStream()
    let numbers = Numbers { number in
      if number == 2 {
        asking.yield(Task.isCancelled)
        return nil
      }
      await holder.dispose()
      return number
    }
    holder.binding = numbers.bind(to: count)
    var answers = asked.makeAsyncIterator()
    #expect(await answers.next() == true)
    #expect(count.value == 0)
  }

  /// Keeps a binding for one who ends it.
  @MainActor private final class Holder {
    var binding: (any Disposable)?
    func dispose() { binding?.dispose() }
  }

  /// The numbers from 1 on, as a function makes them.
  private struct Numbers: AsyncSequence, AsyncIteratorProtocol {
    let make: @Sendable (Int) async -> Int?
    private var last = 0

    init(_ make: @escaping @Sendable (Int) async -> Int?) { self.make = make }
    func makeAsyncIterator() -> Numbers { self }
    mutating func next() async -> Int? {
      last += 1
      return await make(last)
    }
  }

  @Test func `an async sequence is bound to an observer, and an error of either reaches the handler`() async {
    let (stream, source) = AsyncThrowingStream<Int, any Error>.makeStream()
    let (told, telling) = AsyncStream<String>.makeStream()
    var arrivals = told.makeAsyncIterator()
    let observer = Observer<Int> {
      if $0 == 2 { throw Failure() }
      telling.yield("\($0)")
    }
    let binding = stream.bind(to: observer, onError: { telling.yield("\($0)!") })
    source.yield(1)
    #expect(await arrivals.next() == "1")
    source.yield(2)
    #expect(await arrivals.next() == "failure!")
    source.finish(throwing: Failure())
    #expect(await arrivals.next() == "failure!")
    #expect(binding.isDisposed)
  }

  @Test func `an async sequence as events completes and fails as it does`() async throws {
    let (stream, source) = AsyncStream<Int>.makeStream()
    [1, 2, 3].forEach { source.yield($0) }
    source.finish()
    let recorder = Recorder<Int>()
    let events = stream.asEventSequence().share()
    events.subscribe(recorder)
    try await events.completion()
    #expect(recorder.text == "1 2 3 |")
  }

  /// Returns when the consumer of the stream has been cancelled.
  static func termination(of source: AsyncStream<Int>.Continuation, _ stream: AsyncStream<Int>) async {
    let (ended, ending) = AsyncStream<Void>.makeStream()
    source.onTermination = { _ in ending.finish() }
    if case .terminated = source.yield(0) { return }
    for await _ in ended {}
  }
}

@Suite(.timeLimit(.minutes(30))) @MainActor struct `A background source` {
  @Test func `S3-5 works outside the isolation; its events arrive within, in order`() async throws {
    let numbers = BackgroundSource<Int> { observer in
      #expect(#isolation == nil)
      for number in 1...1_000 { observer.onNext(number) }
    }
    var told: [Int] = []
    let events = numbers.observe().share()
    events.subscribe {
      MainActor.assertIsolated()
      told.append($0)
    }
    try await events.completion()
    #expect(told == Array(1...1_000))
  }

  @Test func `S3-5 fails when its closure throws`() async {
    let failing = BackgroundSource<Int> { observer in
      observer.onNext(1)
      throw Failure()
    }
    await #expect(throws: Failure.self) { try await failing.observe().completion() }
  }

  @Test func `S3-5 works on the executor that it is given`() async throws {
    let executor = OwnQueue()
    let source = BackgroundSource<Bool> { observer in observer.onNext(OwnQueue.isRunning) }
    #expect(try await source.subscribe(on: executor).observe().single())
    #expect(try await source.observe().single() == false)
  }

  @Test func `S3-4 is cancelled by a disposal, and nobody is told any more`() async {
    let (told, telling) = AsyncStream<String>.makeStream()
    var arrivals = told.makeAsyncIterator()
    let (gate, _) = AsyncStream<Void>.makeStream()
    let source = BackgroundSource<Int> { observer in
      observer.onNext(1)
      for await _ in gate {}
      observer.onNext(2)
      telling.yield(Task.isCancelled ? "cancelled" : "not cancelled")
    }
    let recorder = Recorder<Int>()
    recorder.onEvent = { _ in telling.yield("told") }
    let subscription = source.observe().subscribe(recorder)
    #expect(await arrivals.next() == "told")
    subscription.dispose()
    #expect(await arrivals.next() == "cancelled")
    #expect(recorder.text == "1")
  }
}

/// An executor with one queue, which can tell whether code runs on it.
private final class OwnQueue: TaskExecutor {
  private static let key = DispatchSpecificKey<Bool>()
  private let queue = DispatchQueue(label: "OwnQueue")

  init() { queue.setSpecific(key: Self.key, value: true) }

  static var isRunning: Bool { DispatchQueue.getSpecific(key: key) ?? false }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
