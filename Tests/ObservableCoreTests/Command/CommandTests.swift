// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

struct Refused: Error, Equatable {
  var reason = ""
}

/// The owner of the tests' commands.
final class FollowModel {
  let gate = Gate<Int>()
  let users = Observable<[Int]>([])
  /// The log of the operation and its observers, in order.
  var log: [String] = []
  let ended = Signal()

  /// A command whose operation waits at the gate. A negative value from there is its error.
  func command(_ policy: CommandPolicy = .refuse, when condition: ObservableValue<Bool>? = nil) -> Command<Int, Int> {
    let command = Command<Int, Int>(self, policy: policy, when: condition) { me, input, _ in
      try me().log.append("start \(input)")
      let value = try await me().gate.pass()
      if value < 0 { throw Refused(reason: "\(value)") }
      try me().users.value = [value]
      return value
    } onCancel: {
      $0.log.append("cancelled")
    }
    command.executing.addObserver(Observer(self) { if !$1 { $0.ended.fire() } })
    return command
  }

  func record(_ command: Command<Int, Int>) {
    command.executing.addObserver(Observer(self) { $0.log.append("executing \($1)") })
    command.error.addObserver(Observer(self) { $0.log.append("error \($1.map { "\($0)" } ?? "nil")") })
    command.result.addObserver(Observer(self) { $0.log.append("result \($1?.content.map { "\($0)" } ?? "nil")") })
  }
}

@MainActor @Suite(.timeLimit(.minutes(30))) struct `A command` {
  let model = FollowModel()

  @Test func `S1-1 is idle and has no result until it is executed`() {
    let command = model.command()
    #expect(command.enabled.value)
    #expect(!command.executing.value)
    #expect(command.result.value == nil)
    #expect(command.error.value == nil)
    #expect(command.progress.value == nil)
    #expect(model.log == [])
  }

  @Test func `S1-1 S1-2 S1-4 executes until the operation is over, and has its result before that`() async {
    let command = model.command()
    model.record(command)
    #expect(command.execute(7) == .started)
    #expect(model.log == ["executing true", "start 7"])
    #expect(command.executing.value)
    model.gate.open(3)
    await model.ended.wait()
    #expect(model.log == ["executing true", "start 7", "result 3", "executing false"])
    #expect(command.result.value?.content == 3)
    #expect(command.result.value?.error == nil)
    #expect(model.users.value == [3])
  }

  @Test func `S1-4 an observer of the result finds the command idle already, in one transaction`() async {
    let command = model.command()
    var found: [Bool] = []
    command.result.addObserver(Observer { _ in found.append(command.executing.value) })
    command.executing.addObserver(Observer { if !$0 { found.append(command.result.value != nil) } })
    command.execute(1)
    model.gate.open(1)
    await model.ended.wait()
    #expect(found == [false, true])
  }

  @Test func `S1-2 the result changes after every run, also when the content is equal`() async throws {
    let command = model.command()
    var told: [Int?] = []
    command.result.addObserver(Observer { told.append($0?.content) })
    for _ in 1...3 {
      model.gate.open(5)
      #expect(try await command.run(1) == 5)
    }
    #expect(told == [5, 5, 5])
  }

  @Test func `S1-3 execute while executing is refused, and says so`() async {
    let command = model.command()
    #expect(command.execute(1) == .started)
    #expect(command.execute(2) == .refused(.executing))
    await #expect(throws: ObservableError.self) { try await command.run(3) }
    model.gate.open(9)
    await model.ended.wait()
    #expect(model.log == ["start 1"])
    #expect(command.execute(4) == .started)
    command.cancel()
  }

  @Test func `S1-5 an error can be observed alone, and leaves the view model as it was`() async throws {
    let command = model.command()
    model.gate.open(2)
    _ = try await command.run(1)
    model.record(command)
    model.gate.open(-1)
    await #expect(throws: Refused(reason: "-1")) { try await command.run(1) }
    #expect(command.result.value?.content == nil)
    #expect(command.result.value?.error as? Refused == Refused(reason: "-1"))
    #expect(command.error.value as? Refused == Refused(reason: "-1"))
    #expect(model.users.value == [2])
    model.log = []
    for outcome in [-1, -1, 4, 4] {
      model.gate.open(outcome)
      _ = try? await command.run(1)
    }
    let errors = model.log.filter { $0.hasPrefix("error") }
    let failure = "error \(Refused(reason: "-1"))"
    #expect(errors == [failure, failure, "error nil"])
  }

  @Test func `S1-7 an operation that does not suspend has completed when execute returns`() {
    let command = Command<Int, Int>(model) { me, input, _ in
      if input < 0 { throw Refused() }
      try me().users.value = [input]
      return input * 2
    }
    model.record(command)
    #expect(command.execute(4) == .started)
    #expect(model.log == ["executing true", "result 8", "executing false"])
    #expect(model.users.value == [4])
    #expect(command.execute(-1) == .started)
    #expect(command.error.value is Refused)
    #expect(!command.executing.value)
  }

  @Test func `S1-7 within a transaction such a run is one change: nobody sees it executing`() throws {
    let command = Command<Int, Int>(model) { _, input, _ in input }
    model.record(command)
    try transaction { command.execute(4) }
    #expect(model.log == ["result 4"])
  }

  @Test func `S1-8 a result is observed with its present value at once, then with each new one`() async throws {
    let command = model.command()
    var told: [Int?] = []
    let observer = Observer<CommandResult<Int>?> { told.append($0?.content) }
    command.result.addObserver(observer, replay: true)
    #expect(told == [nil])
    model.gate.open(1)
    _ = try await command.run(0)
    command.result.addObserver(observer, replay: true)
    #expect(told == [nil, 1, 1])
  }

  @Test func `progress is the operation's report, kept between 0 and 1, and gone when it is over`() {
    let command = Command<Void, Int>(model) { _, _, run in
      for part in [-1, 0.5, 0.5, 2, .nan, 0.75] { run.report(part) }
      return 1
    }
    var told: [Double?] = []
    command.progress.addObserver(Observer { told.append($0) })
    command.execute(())
    #expect(told == [0, 0.5, 1, nil, 0.75, nil])
  }

  @Test func `an observer's error is told by the command's error, and ends nothing`() async throws {
    let command = model.command()
    command.result.addObserver(Observer { _ in throw Refused(reason: "observer") })
    model.gate.open(1)
    #expect(try await command.run(1) == 1)
    #expect(command.error.value as? Refused == Refused(reason: "observer"))
    #expect(!command.executing.value)
    #expect(command.result.value?.content == 1)
  }
}
