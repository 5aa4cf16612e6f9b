// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@MainActor @Suite(.timeLimit(.minutes(30))) struct `Cancelling a command` {
  let model = FollowModel()

  /// A command whose operation does not heed its cancellation.
  func stubborn(_ policy: CommandPolicy = .refuse) -> Command<Int, Int> {
    Command<Int, Int>(model, policy: policy) { me, input, run in
      let owner = try me()
      defer { owner.ended.fire() }
      let value = await owner.gate.passIgnoringCancellation()
      run.report(0.5)
      owner.log.append("late \(value)")
      try me().users.value = [value]
      return value
    } onCancel: {
      $0.log.append("cancelled")
    }
  }

  @Test func `S1-6 runs the cancel handler, and the command is idle at once`() {
    let command = model.command()
    model.record(command)
    command.execute(1)
    command.cancel()
    #expect(model.log == ["executing true", "start 1", "cancelled", "executing false"])
    #expect(!command.executing.value)
    #expect(command.result.value == nil)
    #expect(command.error.value == nil)
  }

  @Test func `S1-6 when idle does nothing`() {
    let command = model.command()
    command.cancel()
    #expect(model.log == [])
    #expect(command.execute(1) == .started)
    command.cancel()
    command.cancel()
    #expect(model.log == ["start 1", "cancelled"])
  }

  @Test func `S1-6 a late completion of a cancelled run changes nothing, not even the view model or the run after it`()
    async
  {
    let command = stubborn()
    command.execute(1)
    command.cancel()
    command.execute(2)
    model.record(command)
    model.log = []
    model.gate.openLate(10)
    await model.ended.wait()
    #expect(model.log == ["late 10"])
    #expect(model.users.value == [])
    #expect(command.executing.value)
    #expect(command.progress.value == nil)
    model.gate.openLate(20)
    await model.ended.wait(for: 2)
    #expect(!command.executing.value)
    #expect(command.result.value?.content == 20)
    #expect(model.users.value == [20])
  }

  @Test func `S1-6 reaches the operation's task, whose CancellationError is no error`() async {
    let caught = Held(Signal())
    let command = Command<Int, Int>(model) { me, _, _ in
      let gate = try me().gate
      do { return try await gate.pass() } catch {
        caught.value.fire()
        throw error
      }
    }
    command.execute(1)
    command.cancel()
    await caught.value.wait()
    #expect(command.error.value == nil)
    #expect(command.result.value == nil)
  }

  @Test func `a CancellationError that nobody asked for is an error like others`() {
    let command = Command<Int, Int>(model) { _, _, _ in throw CancellationError() }
    command.execute(1)
    #expect(command.error.value is CancellationError)
  }

  @Test func `an operation may cancel its own command before it suspends`() async {
    let ended = Held(Signal())
    let own = Held<Command<Int, Int>?>(nil)
    let command = Command<Int, Int>(model) { me, _, run in
      let gate = try me().gate
      defer { ended.value.fire() }
      own.value?.cancel()
      #expect(run.isCancelled)
      return try await gate.pass()
    }
    own.value = command
    #expect(command.execute(1) == .started)
    #expect(command.executing.value == false)
    await ended.value.wait()
    #expect(command.result.value == nil)
    own.value = nil
  }

  @Test func `a task that waits for the outcome is told of the cancellation, and cancels with its own`() async throws {
    let command = model.command()
    let waiting = Task.immediate { try await command.run(1) }
    command.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }

    let cancelling = Task.immediate { try await command.run(2) }
    #expect(command.executing.value)
    cancelling.cancel()
    await #expect(throws: CancellationError.self) { try await cancelling.value }
    #expect(!command.executing.value)
    #expect(model.log == ["start 1", "cancelled", "start 2", "cancelled"])
  }

  @Test func `a run that was begun in a transaction that is undone is cancelled with it`() async {
    let command = model.command()
    expectUndone {
      command.execute(1)
      #expect(command.executing.value)
    }
    #expect(!command.executing.value)
    #expect(model.log == ["start 1", "cancelled"])
    #expect(command.execute(2) == .started)
    command.cancel()
  }

  @Test func `a cancellation stays when its transaction is undone, and everybody is told so`() {
    let command = model.command()
    command.execute(1)
    let watch = Dirty()
    command.executing.watch(watch, tag: 0)
    expectUndone { command.cancel() }
    #expect(!command.executing.value)
    #expect(watch.take() == [0])
    #expect(command.enabled.value)
  }

  @Test func `observers that never settle leave the command idle, with their failure as its error`() async throws {
    let command = model.command()
    let count = Observable(0)
    count.addObserver(Observer { count.value = $0 + 1 })
    command.result.addObserver(Observer { _ in count.value += 1 })
    model.gate.open(1)
    _ = try await command.run(1)
    #expect(!command.executing.value)
    guard case .unsettled? = command.error.value as? ObservableError else {
      Issue.record("expected .unsettled, got \(String(describing: command.error.value))")
      return
    }
  }
}
