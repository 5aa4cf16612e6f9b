// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

/// A place for a graph: an actor, as a session is.
private actor Place {
  struct Failure: Error {}

  private let graph = Graph()
  private var observer: Observer<Int>?
  private var following: Following?
  private let hears: AsyncStream<Int>.Continuation
  /// For each element, the value before it times 100, plus the element. A -1 stands for a 13, which the
  /// observer refuses.
  let heard: AsyncStream<Int>

  init() { (heard, hears) = AsyncStream<Int>.makeStream() }

  /// Makes a model that follows `numbers`.
  ///
  /// - Parameter isLater: whether the following begins after the graph was left, as after an `await`.
  func make<Elements: AsyncSequence & Sendable>(
    _ numbers: Elements, isolation: (any Actor)? = nil, isLater: Bool = false
  ) where Elements.Element == Int {
    let follow = { [self] (observer: Observer<Int>) in
      following = observer.follow(numbers, isolation: isolation) { [hears] _ in hears.yield(-1) }
    }
    graph.enter {
      let value = Observable(0)
      let observer = Observer<Int> { [unowned self, hears] number in
        assertIsolated()
        let before = value.value
        value.value = number
        if number == 13 { throw Failure() }
        hears.yield(before * 100 + number)
      }
      if !isLater { follow(observer) }
      self.observer = observer
    }
    if isLater, let observer { follow(observer) }
  }

  func live() { graph.isolation = self }
  func close() { graph.close() }
  func forget() { observer = nil }
  func dispose() {
    following?.dispose()
    #expect(following?.isDisposed == true)
  }
  func expectError(_ text: String) {
    #expect(following?.isDisposed == true)
    #expect(following?.error.value.map { "\($0)" } == text)
  }
  func expectSilence() async {
    hears.finish()
    for await number in heard { Issue.record("it was told \(number)") }
  }
}

/// The numbers that a test sends. Only the code that takes the sequence keeps it alive.
private final class Numbers {
  private var stream: AsyncStream<Int>?
  let send: AsyncStream<Int>.Continuation
  /// Ends when no reader of the numbers is left.
  let ended: AsyncStream<Void>

  init() {
    let (stream, send) = AsyncStream<Int>.makeStream()
    (self.stream, self.send) = (stream, send)
    let (ended, ending) = AsyncStream<Void>.makeStream()
    send.onTermination = { _ in ending.finish() }
    self.ended = ended
  }

  func take() throws -> AsyncStream<Int> {
    defer { stream = nil }
    return try #require(stream)
  }

  func waitForTheEnd() async { for await _ in ended {} }
}

@Suite(.timeLimit(.minutes(30))) struct `An observer that follows` {
  @Test func `is told each element where its graph lives, from when that is known`() async throws {
    let (place, numbers) = (Place(), Numbers())
    try await place.make(numbers.take())
    numbers.send.yield(1)
    await place.live()
    numbers.send.yield(2)
    var heard = place.heard.makeAsyncIterator()
    #expect(await heard.next() == 1)
    #expect(await heard.next() == 102)
  }

  @Test func `begins at once where it is told where`() async throws {
    let (place, numbers) = (Place(), Numbers())
    try await place.make(numbers.take(), isolation: place)
    numbers.send.yield(7)
    var heard = place.heard.makeAsyncIterator()
    #expect(await heard.next() == 7)
  }

  @Test func `an error undoes its element and is told, and the next one arrives`() async throws {
    let (place, numbers) = (Place(), Numbers())
    try await place.make(numbers.take(), isolation: place)
    for number in [5, 13, 6] { numbers.send.yield(number) }
    var heard = place.heard.makeAsyncIterator()
    for expected in [5, -1, 506] { #expect(await heard.next() == expected) }
  }

  @Test(arguments: [true, false])
  func `is told nothing once its graph is closed, and the sequence learns of it`(hasLived: Bool) async throws {
    let (place, numbers) = (Place(), Numbers())
    try await place.make(numbers.take())
    if hasLived { await place.live() }
    await place.close()
    await numbers.waitForTheEnd()
    await place.live()
    await place.expectSilence()
  }

  @Test func `ends with its graph also if that was not entered when it began`() async throws {
    let (place, numbers) = (Place(), Numbers())
    try await place.make(numbers.take(), isolation: place, isLater: true)
    await place.close()
    await numbers.waitForTheEnd()
    await place.expectSilence()
  }

  @Test func `ends with the handle that is returned`() async throws {
    let (place, numbers) = (Place(), Numbers())
    try await place.make(numbers.take(), isolation: place)
    await place.dispose()
    await numbers.waitForTheEnd()
    await place.expectSilence()
  }

  @Test func `a sequence that throws ends it, and its error is told, and shown`() async {
    let place = Place()
    let numbers = AsyncThrowingStream<Int, any Error> { numbers in
      numbers.yield(7)
      numbers.finish(throwing: Place.Failure())
    }
    await place.make(numbers, isolation: place)
    var heard = place.heard.makeAsyncIterator()
    for expected in [7, -1] { #expect(await heard.next() == expected) }
    await place.expectError("Failure()")
  }

  @Test func `ends at once as the observer goes`() async throws {
    let (place, numbers) = (Place(), Numbers())
    try await place.make(numbers.take(), isolation: place)
    await place.forget()
    await numbers.waitForTheEnd()
    await place.expectSilence()
  }

  @Test func `asks a sequence whose element comes after the end once more, and that learns of it`() async {
    let place = Place()
    let (asked, asking) = AsyncStream<Bool>.makeStream()
    let numbers = Made { number in
      if number == 2 {
        asking.yield(Task.isCancelled)
        return nil
      }
      await place.dispose()
      return number
    }
    await place.make(numbers, isolation: place)
    var answers = asked.makeAsyncIterator()
    #expect(await answers.next() == true)
    await place.expectSilence()
  }

  /// The numbers from 1 on, as a function makes them.
  private struct Made: AsyncSequence, AsyncIteratorProtocol {
    let make: @Sendable (Int) async -> Int?
    private var last = 0

    init(_ make: @escaping @Sendable (Int) async -> Int?) { self.make = make }
    func makeAsyncIterator() -> Made { self }
    mutating func next() async -> Int? {
      last += 1
      return await make(last)
    }
  }
}
