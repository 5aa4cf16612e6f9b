// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

/// Commands in a transaction of several steps. Their operations wait until the transaction has passed.
@Suite(.timeLimit(.minutes(30))) @MainActor struct `A command in a transaction in steps` {
  struct Failure: Error {}

  /// Writes down the beginnings and the ends of runs.
  final class Runs: CommandRunWatcher {
    var log: [String] = []
    func runDidBegin(_ run: CommandRun) { log.append("begin") }
    func runDidEnd(_ run: CommandRun, _ error: (any Error)?) { log.append("end") }
  }

  final class Owner {
    var log: [String] = []
    let gate = Gate<Void>()
    let graph: Graph
    let runs = Runs()
    let count = Observable(0)

    @MainActor init() {
      graph = Graph(isolation: MainActor.shared)
      graph.runWatcher = runs
    }

    @MainActor func command(_ policy: CommandPolicy = .refuse) -> Command<String, Void> {
      graph.enter {
        Command(self, policy: policy) { me, input, _ in
          try me().log.append("run \(input)")
          if input == "at once" { return try me().count.value += 1 }
          try await me().gate.pass()
          try me().log.append("done \(input)")
        } onCancel: { me in
          me.log.append("cancelled")
        }
      }
    }
  }

  let owner = Owner()

  @Test func `is executing at once, and started when the last step has passed`() throws {
    let command = owner.command()
    try transactionInSteps { settle in
      #expect(command.execute("a", isolation: MainActor.shared) == .started)
      try settle()
      #expect(command.executing.value)
      #expect(command.execute("b", isolation: MainActor.shared) == .refused(.executing))
      #expect(owner.log == [])
    }
    #expect(owner.log == ["run a"])
    #expect(owner.runs.log == ["begin"])
    command.cancel()
  }

  @Test func `that is over at once is so in the same transaction`() throws {
    let command = owner.command()
    let told = Log<Int>()
    owner.count.addObserver(told.observer)
    try transactionInSteps { settle in
      command.execute("at once", isolation: MainActor.shared)
      try settle()
      #expect(owner.count.value == 0)
    }
    #expect(told.values == [1])
    #expect(command.result.value != nil && !command.executing.value)
    #expect(owner.runs.log == ["begin", "end"])
  }

  @Test(arguments: [CommandPolicy.refuse, .queue(), .latest])
  func `has not run if a later step is undone`(policy: CommandPolicy) throws {
    let command = owner.command(policy)
    expectStepsUndone { settle in
      command.execute("a", isolation: MainActor.shared)
      try settle()
      command.execute("b", isolation: MainActor.shared)
      try settle()
    }
    #expect(owner.log == [])
    #expect(!command.executing.value)
    #expect(owner.runs.log.filter { $0 == "begin" }.count == owner.runs.log.filter { $0 == "end" }.count)
    command.execute("c", isolation: MainActor.shared)
    #expect(owner.log == ["run c"])
    command.cancel()
  }

  @Test func `is not started if a later step cancels it`() throws {
    let command = owner.command()
    try transactionInSteps { settle in
      command.execute("a", isolation: MainActor.shared)
      try settle()
      command.cancel()
      try settle()
      #expect(!command.executing.value)
    }
    #expect(owner.log == [])
    #expect(owner.runs.log == ["begin", "end"])
  }

  @Test(arguments: [CommandPolicy.queue(), .latest])
  func `goes on if the step that cancels or replaces it is undone`(policy: CommandPolicy) async throws {
    let command = owner.command(policy)
    command.execute("a", isolation: MainActor.shared)
    expectStepsUndone { settle in
      command.cancel()
      try settle()
      #expect(!command.executing.value)
      command.execute("b", isolation: MainActor.shared)
      try settle()
      command.execute("c", isolation: MainActor.shared)
    }
    #expect(command.executing.value)
    #expect(owner.log == ["run a"])
    let ended = AsyncStream.makeStream(of: Void.self)
    command.result.addObserver(Observer { _ in ended.continuation.yield() })
    owner.gate.open(())
    for await _ in ended.stream.prefix(1) {}
    #expect(!command.executing.value)
    #expect(owner.log == ["run a", "done a"])
    #expect(owner.runs.log.filter { $0 == "begin" }.count == owner.runs.log.filter { $0 == "end" }.count)
  }

  @Test func `that is cancelled is stopped and told when the last step has passed`() throws {
    let command = owner.command()
    command.execute("a", isolation: MainActor.shared)
    try transactionInSteps { settle in
      command.cancel()
      try settle()
      #expect(owner.log == ["run a"])
      #expect(owner.runs.log == ["begin"])
    }
    #expect(owner.log == ["run a", "cancelled"])
    #expect(owner.runs.log == ["begin", "end"])
    #expect(!command.executing.value)
  }

  @Test func `runs the inputs that the steps have queued one after the other`() throws {
    let command = owner.command(.queue())
    try transactionInSteps { settle in
      for _ in 1...3 {
        command.execute("at once", isolation: MainActor.shared)
        try settle()
      }
    }
    #expect(owner.log == ["run at once", "run at once", "run at once"])
    #expect(owner.count.value == 3)
    #expect(!command.executing.value)
  }

  @Test func `is cancelled if a write of its operation undoes the steps`() throws {
    let running = owner.command()
    let command = owner.command()
    running.execute("r", isolation: MainActor.shared)
    owner.count.addObserver(Observer { _ in throw Failure() })
    #expect(throws: Failure.self) {
      try transactionInSteps { settle in
        running.cancel()
        try settle()
        command.execute("at once", isolation: MainActor.shared)
      }
    }
    #expect(owner.count.value == 0)
    #expect(!running.executing.value && !command.executing.value)
    #expect(owner.runs.log.sorted() == ["begin", "begin", "end", "end"])
  }
}
