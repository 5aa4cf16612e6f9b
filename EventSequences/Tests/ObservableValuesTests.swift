// SPDX-License-Identifier: MIT
import EventSequences
import ObservableCore
import Testing

/// A value that is not `Sendable`: those of view models need not be.
final class Text: Equatable {
  let text: String
  init(_ text: String) { self.text = text }
  static func == (left: Text, right: Text) -> Bool { left.text == right.text }
}

@Suite(.timeLimit(.minutes(30))) @MainActor struct `The values of an observable` {
  @Test func `start with the present one; a slow consumer gets the newest, never a queue`() async {
    let text = Observable(Text("a"))
    var values = text.values.makeAsyncIterator()
    #expect(await values.next(isolation: #isolation)?.text == "a")
    for letter in ["b", "c", "d"] { text.value = Text(letter) }
    #expect(await values.next(isolation: #isolation)?.text == "d")
    text.value = Text("e")
    #expect(await values.next(isolation: #isolation)?.text == "e")
  }

  @Test func `wake a consumer that waits, in its isolation`() async {
    let text = Observable(Text("a"))
    let (told, telling) = AsyncStream<String>.makeStream()
    var arrivals = told.makeAsyncIterator()
    let consumer = Task {
      for await value in text.values {
        MainActor.assertIsolated()
        telling.yield(value.text)
      }
      telling.yield("over")
    }
    #expect(await arrivals.next() == "a")
    text.value = Text("b")
    #expect(await arrivals.next() == "b")
    consumer.cancel()
    #expect(await arrivals.next() == "over")
  }

  @Test func `end with the observable, after the last value`() async {
    var text: Observable<Text>? = Observable(Text("a"))
    weak let watched = text
    guard let values = text?.values else { return }
    var iterator = values.makeAsyncIterator()
    text?.value = Text("b")
    text = nil
    #expect(watched == nil)
    #expect(await iterator.next(isolation: #isolation)?.text == "b")
    #expect(await iterator.next(isolation: #isolation) == nil)
    var late = values.makeAsyncIterator()
    #expect(await late.next(isolation: #isolation) == nil)
  }

  @Test func `end when the graph is closed, and wake a consumer that waits`() async {
    let graph = Graph()
    let text = graph.enter { Observable(Text("a")) }
    let consumer = Task {
      var told: [String] = []
      for await value in text.values {
        told.append(value.text)
        if told.count == 1 { Task { graph.close() } }
      }
      return told
    }
    #expect(await consumer.value == ["a"])
  }

  @Test func `leave no observer behind when the loop is left`() async {
    let graph = Graph()
    let text = graph.enter { Observable(Text("a")) }
    let before = graph.memberCount
    await graph.enter { () -> Task<Void, Never> in
      // The graph is entered here, so that it counts the iterator's observer.
      var iterator: ObservableValues<Text>.Iterator? = text.values.makeAsyncIterator()
      #expect(graph.memberCount == before + 1)
      _ = iterator
      iterator = nil
      return Task {}
    }.value
    #expect(graph.memberCount == before)
  }

  @Test func `give nothing once the task is cancelled`() async {
    let text = Observable(Text("a"))
    let consumer = Task {
      var told = 0
      withUnsafeCurrentTask { $0?.cancel() }
      for await _ in text.values { told += 1 }
      return told
    }
    #expect(await consumer.value == 0)
  }

  @Test func `that are Sendable are for any isolation: newest wins, and they end with the observable`() async {
    var count: Observable<Int>? = Observable(1)
    guard let values = count?.sendableValues() else { return }
    count?.value = 2
    count?.value = 3
    let (told, telling) = AsyncStream<Int>.makeStream()
    var arrivals = told.makeAsyncIterator()
    let consumer = Task.detached { for await value in values { telling.yield(value) } }
    #expect(await arrivals.next() == 3)
    count?.value = 4
    #expect(await arrivals.next() == 4)
    count = nil
    await consumer.value
  }

  @Test func `that are Sendable take their observer back in the owner's isolation when the consumer is cancelled`()
    async
  {
    let graph = Graph()
    let count = graph.enter { Observable(1) }
    let before = graph.memberCount
    let values = graph.enter { count.sendableValues() }
    #expect(graph.memberCount == before + 1)
    let (told, telling) = AsyncStream<Int>.makeStream()
    var arrivals = told.makeAsyncIterator()
    let consumer = Task.detached { for await value in values { telling.yield(value) } }
    #expect(await arrivals.next() == 1)
    consumer.cancel()
    await consumer.value
    // The removal of the observer was scheduled in this isolation before the consumer's loop ended. So it runs
    // before a task that is begun now.
    await Task {}.value
    #expect(graph.memberCount == before)
  }
}
