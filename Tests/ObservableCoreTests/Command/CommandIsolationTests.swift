// SPDX-License-Identifier: MIT
import Dispatch
import ObservableCore
import Testing

/// The executor of an actor that plain threads can enter without a task, as they enter a session.
private final class QueueExecutor: SerialExecutor {
  private static let key = DispatchSpecificKey<ObjectIdentifier>()
  private let queue = DispatchQueue(label: "actor")

  init() { queue.setSpecific(key: Self.key, value: ObjectIdentifier(self)) }

  func enter<Result: Sendable>(_ body: () -> Result) -> Result { queue.sync(execute: body) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func isIsolatingCurrentContext() -> Bool? { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }
  func checkIsolated() { precondition(isIsolatingCurrentContext() == true) }
}

private actor Home {
  nonisolated let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Plain state that is not `Sendable`, used before and after an operation's `await`.
  final class Counter {
    var steps: [Int] = []
    let gate = Gate<Int>()
    let ended = Signal()
    let touched = Observer<Int>()
    private(set) lazy var command = Command<Int, Int>(self) { me, input, run in
      try me().steps.append(input)
      for _ in 1...3 {
        let value = try await me().gate.pass()
        try me().steps.append(value)
        run.report(0.5)
      }
      return try me().steps.count
    }

    init() {
      touched.handle(self) { $0.command.execute($1) }
      command.executing.addObserver(Observer(self) { if !$1 { $0.ended.fire() } })
    }
  }

  var graph: Graph?
  var counter: Counter?

  func open(isKnownToGraph: Bool = true) {
    let graph = Graph(isolation: isKnownToGraph ? self : nil)
    self.graph = graph
    counter = graph.enter { Counter() }
  }

  func execute(_ input: Int) { counter?.command.execute(input) }
  func touch(_ input: Int) throws { try counter?.touched.invoke(input) }
  func pass(_ value: Int) { counter?.gate.open(value) }
  var steps: [Int] { counter?.steps ?? [] }
  func end() async -> Int? {
    await counter?.ended.wait()
    return counter?.command.result.value?.content
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A command's operation` {
  @Test func `stays on the actor where it was executed, across its awaits`() async {
    let home = Home()
    await home.open(isKnownToGraph: false)
    await home.execute(1)
    #expect(await home.steps == [1])
    for value in 2...4 { await home.pass(value) }
    #expect(await home.end() == 4)
    #expect(await home.steps == [1, 2, 3, 4])
  }

  @Test func `executed by a handler, which is on no actor, runs on the graph's`() async throws {
    let home = Home()
    await home.open()
    try await home.touch(1)
    for value in 2...4 { await home.pass(value) }
    #expect(await home.end() == 4)
  }

  @Test func `S1-7 runs up to its first await before execute returns, on a plain thread as well`() async {
    let home = Home()
    let steps = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let steps = home.executor.enter {
          home.assumeIsolated { home in
            home.open()
            do { try home.touch(1) } catch { Issue.record(error) }
            return home.steps
          }
        }
        continuation.resume(returning: steps)
      }
    }
    #expect(steps == [1])
    for value in 2...4 { await home.pass(value) }
    #expect(await home.end() == 4)
  }

  @Test func `many at once, each on an actor of its own, meet nobody's state`() async {
    await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<100 {
        group.addTask {
          let home = Home()
          await home.open()
          await home.execute(1)
          for value in 2...4 { await home.pass(value) }
          return await home.end()
        }
      }
      for await steps in group { #expect(steps == 4) }
    }
  }

  /// An actor without an executor of its own.
  private actor Plain {
    private let counter = Home.Counter()
    private lazy var command = Command<Void, Int>(counter) { me, _, _ in
      try me().steps.append(1)
      await Task.yield()
      try me().steps.append(2)
      return try me().steps.count
    }
    func run() async -> Int? { try? await command.run(()) }
  }

  @Test func `stays on an actor of the plain kind as well`() async { #expect(await Plain().run() == 2) }

  @Test func `without an actor to come back to, executing ends the process and says why`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let model = FollowModel()
      try Observer<Int> { _ in Command<Int, Int>(model) { _, input, _ in input }.execute(1) }.invoke(1)
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("outside every actor"))
  }
}
