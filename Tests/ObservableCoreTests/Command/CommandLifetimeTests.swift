// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@MainActor @Suite(.timeLimit(.minutes(30))) struct `A command's lifetime` {
  /// An object whose closures all capture `self` strongly: enough for a leak.
  final class Leaky {
    let gate = Gate<Int>()
    var command: Command<Int, Int>?

    init(_ ended: Signal) {
      let (me, ended) = (Held(self), Held(ended))
      command = Command<Int, Int>(self) { _, input, _ in
        defer { ended.value.fire() }
        let value = try await me.value.gate.pass()
        return value + input
      } onCancel: { _ in
        self.gate.open(0)
      }
      command?.executing.addObserver(Observer { _ in _ = self.command })
    }
  }

  @Test func `S1-6 S0-D6 closing 10,000 graphs while their commands run leaves no live member`() async {
    let count = 10_000
    let ended = Signal()
    var graphs: [Graph] = []
    weak var last: Leaky?
    for index in 1...count {
      let graph = Graph()
      do {
        let leaky = graph.enter { Leaky(ended) }
        last = leaky
        // Every second graph is closed while its command runs.
        if index.isMultiple(of: 2) {
          #expect(leaky.command?.execute(1) == .started)
        } else {
          ended.fire()
        }
      }
      // Without the closing they stay.
      #expect(graph.memberCount > 0)
      graph.close()
      graphs.append(graph)
    }
    await ended.wait(for: count)
    #expect(graphs.reduce(0) { $0 + $1.memberCount } == 0)
    #expect(last == nil)
  }

  @Test func `closing the graph cancels the run, tells nobody, and refuses later runs`() {
    let model = FollowModel()
    let graph = Graph()
    let command = graph.enter { model.command() }
    model.record(command)
    command.execute(1)
    graph.close()
    #expect(model.log == ["executing true", "start 1", "cancelled"])
    #expect(!command.executing.value)
    #expect(command.execute(2) == .refused(.closed))
  }

  @Test func `dropping the command cancels its run`() {
    let model = FollowModel()
    var command: Command<Int, Int>? = model.command()
    let executing = command?.executing
    weak let gone = command
    command?.execute(1)
    command = nil
    #expect(gone == nil)
    #expect(model.log == ["start 1", "cancelled"])
    #expect(executing?.value == false)
  }

  @Test func `S1-12 a running command does not keep its owner alive, and is cancelled when the owner goes with it`()
    async
  {
    final class Owner {
      let gate: Gate<Int>
      private(set) lazy var command = Command<Int, Int>(self) { me, _, _ in try await me().gate.pass() }
      init(_ gate: Gate<Int>) { self.gate = gate }
    }
    let gate = Gate<Int>()
    var owner: Owner? = Owner(gate)
    weak let gone = owner
    owner?.command.execute(1)
    owner = nil
    #expect(gone == nil)
  }

  @Test func `an owner that goes before its command cancels the run that looks for it`() async {
    let ended = Held(Signal())
    let gate = Held(Gate<Int>())
    var owner: FollowModel? = FollowModel()
    let command = owner.map {
      Command<Int, Int>($0) { me, _, _ in
        defer { ended.value.fire() }
        let value = try await gate.value.pass()
        try me().users.value = [value]
        return value
      }
    }
    command?.execute(1)
    owner = nil
    gate.value.open(1)
    await ended.value.wait()
    #expect(command?.executing.value == false)
    #expect(command?.result.value == nil)
    #expect(command?.error.value == nil)
  }
}
