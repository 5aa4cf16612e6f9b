// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@MainActor @Suite(.timeLimit(.minutes(30))) struct `A command's policy` {
  let model = FollowModel()

  @Test func `by default it is enabled while it is idle and its condition is true`() async {
    let condition = Observable(false)
    let command = model.command(when: condition)
    var told: [Bool] = []
    command.enabled.addObserver(Observer { told.append($0) }, replay: true)
    #expect(command.execute(1) == .refused(.disabled))
    condition.value = true
    #expect(command.execute(1) == .started)
    model.gate.open(1)
    await model.ended.wait()
    condition.value = false
    #expect(told == [false, true, false, true, false])
    #expect(model.log == ["start 1"])
  }

  @Test func `a condition may be computed, and one that fails refuses`() {
    let name = Observable("")
    let valid = Computed {
      if name.value == "bad" { throw Refused() }
      return name.value.count > 2
    }
    let command = model.command(when: valid)
    #expect(command.execute(1) == .refused(.disabled))
    name.value = "bad"
    #expect(command.execute(1) == .refused(.disabled))
    #expect(throws: Refused.self) { try command.enabled.get() }
    name.value = "lobster"
    #expect(command.execute(1) == .started)
    command.cancel()
  }

  @Test func `queue runs one after the other, executing all the while, up to its limit`() async {
    let command = model.command(.queue(limit: 2))
    model.record(command)
    #expect(command.execute(1) == .started)
    #expect(command.execute(2) == .queued)
    #expect(command.execute(3) == .queued)
    #expect(command.execute(4) == .refused(.queueFull(limit: 2)))
    #expect(command.enabled.value)
    for value in [10, 20, 30] { model.gate.open(value) }
    await model.ended.wait()
    #expect(
      model.log == [
        "executing true", "start 1", "result 10", "start 2", "result 20", "start 3", "result 30", "executing false",
      ])
  }

  @Test func `queue takes an input from an observer of the result, behind those that wait`() async throws {
    let command = model.command(.queue(limit: 2))
    command.result.addObserver(Observer { if $0?.content == 10 { command.execute(3) } })
    command.execute(1)
    command.execute(2)
    for value in [10, 20, 30] { model.gate.open(value) }
    await model.ended.wait()
    #expect(model.log == ["start 1", "start 2", "start 3"])
  }

  @Test func `queue starts twenty thousand that do not suspend without a deep stack`() {
    let count = Held(0)
    let gate = Held(Gate<Int>())
    let command = Command<Int, Int>(model, policy: .queue()) { _, input, _ in
      count.value += 1
      return input == 0 ? try await gate.value.pass() : input
    }
    command.result.addObserver(Observer { if let last = $0?.content, last < 20_000 { command.execute(last + 1) } })
    command.execute(1)
    #expect(count.value == 20_000)
    #expect(!command.executing.value)
  }

  @Test func `cancelling drops the inputs that wait`() async {
    let command = model.command(.queue())
    command.execute(1)
    #expect(command.execute(2) == .queued)
    let waiting = Task.immediate { try await command.run(3) }
    command.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(model.log == ["start 1", "cancelled"])
    #expect(!command.executing.value)
  }

  @Test func `latest cancels the running one, executing all the while`() async {
    let command = model.command(.latest)
    model.record(command)
    command.execute(1)
    #expect(command.execute(2) == .started)
    model.gate.open(5)
    await model.ended.wait()
    #expect(model.log == ["executing true", "start 1", "cancelled", "start 2", "result 5", "executing false"])
  }

  @Test func `latest never shows the result of an earlier input, however late it comes`() async {
    let command = Command<Int, Int>(model, policy: .latest) { me, input, _ in
      let owner = try me()
      defer { owner.ended.fire() }
      return await owner.gate.passIgnoringCancellation()
    }
    var told: [Int?] = []
    command.result.addObserver(Observer { told.append($0?.content) })
    for input in 1...3 { command.execute(input) }
    for value in [10, 20, 30] { model.gate.openLate(value) }
    await model.ended.wait(for: 3)
    #expect(told == [30])
  }
}
