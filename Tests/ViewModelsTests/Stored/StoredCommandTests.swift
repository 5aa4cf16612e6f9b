// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@Suite(.timeLimit(.minutes(30))) struct `The stored state of a command` {
  struct Full: PresentableError {
    let type = "full"
    let detail = "there is no room"
  }

  /// A view model with a command that the view sees, one that it does not see, one without a result, and one in
  /// each row.
  final class Work: ViewModel {
    final class Row: ViewModel {
      private let gate: Gate<Int>
      init(_ gate: Gate<Int>) { self.gate = gate }
      nonisolated(nonsending) func run() async throws -> Int { try await gate.pass() }
      static let surface = Surface<Row>("row", .command("run", Row.run))
    }

    @Observed var log: [String] = []
    let rows = KeyedList<Row>()
    private let gate: Gate<Int>
    lazy var measure = Command<Int, Int?>(self, policy: .queue(), name: "measure") { me, _, run in
      let gate = try me().gate
      run.report(0.5)
      return try await gate.pass()
    }
    lazy var clean = Command<Void, Void>(self, Work.pass, name: "clean")
    private lazy var hidden = Command<Void, Void>(self, Work.pass, name: "hidden")

    init(_ gate: Gate<Int>) {
      self.gate = gate
      rows.append(Row(gate), key: "a")
      for (name, command) in [("clean", clean), ("hidden", hidden)] {
        command.executing.addObserver(Observer(self) { $0.log.append("\(name) executing \($1)") })
        command.error.addObserver(
          Observer(self) { $0.log.append("\(name) \(($1 as? any PresentableError)?.type ?? "no error")") })
      }
    }

    nonisolated(nonsending) func pass() async throws { _ = try await gate.pass() }
    func didInterrupt(_ command: String) { log.append("told of \(command)") }
    func begin() { hidden.execute((), isolation: nil) }

    static let surface = Surface<Work>(
      "work", .value("log", \.$log), .list("rows", \.rows), .command("measure", \.measure), .command("clean", \.clean),
      .stored("hidden", \.hidden), .action("begin", Work.begin))
  }

  private let gate = Gate<Int>()

  /// A living view model after some steps.
  private func work(_ steps: Change..., stored: JSON? = nil) async throws -> LivingModel {
    let gate = gate
    let model = try await LivingModel(.hosting { Work(gate) }, stored: stored)
    for step in steps { #expect(await model.take(step) == nil) }
    return model
  }

  private func restart(_ model: LivingModel) async throws -> LivingModel { try await work(stored: model.stored) }

  @Test func `is nothing before it was first executed`() async throws {
    #expect(try await work().stored == ["log": [], "rows": ["order": ["a"], "gone": [], "items": [:]]])
  }

  @Test func `has its result or its error`() async throws {
    let model = try await work(.perform("measure", 1), .perform("rows/items/a/run"))
    gate.open(with: 7)
    gate.open(with: 8)
    await model.settled()
    #expect(await model.take(.perform("clean")) == nil)
    gate.open(throwing: Full())
    await model.settled()
    #expect(await model.stored["measure"] == ["result": 7])
    #expect(await model.stored["clean"] == ["error": ["type": "full", "detail": "there is no room"]])
    let again = try await restart(model)
    #expect(await again.state == model.state)
    #expect(await again.stored == model.stored)
    #expect(await again.state["rows"]?["items"]?["a"]?["run"]?["result"] == 8)
  }

  @Test func `has that there was a result, though it was null`() async throws {
    let model = try await work(.perform("clean"))
    gate.open(with: 1)
    await model.settled()
    #expect(await model.stored["clean"] == ["result": .null])
    #expect(try await restart(model).stored["clean"] == ["result": .null])
  }

  @Test func `has of an error that is for nobody to see only that there was one`() async throws {
    struct Secret: Error { let password = "sakura" }
    let model = try await work(.perform("clean"))
    gate.open(throwing: Secret())
    await model.settled()
    #expect(await model.stored["clean"]?["error"]?["type"] == "internal")
    #expect(await !String(decoding: model.storedText, as: UTF8.self).contains("sakura"))
    #expect(try await restart(model).state == model.state)
  }

  @Test func `comes back interrupted if it was executing, which is told, and is not executed again`() async throws {
    let model = try await work(.perform("clean"), .perform("measure", 1), .perform("measure", 2), .perform("begin"))
    #expect(await model.stored["clean"] == ["executing": true])
    let waiting = gate.waiting
    let again = try await restart(model)
    await again.settled()
    #expect(gate.waiting == waiting)
    let state = await again.state
    for name in ["clean", "measure"] {
      #expect(state[name]?["error"]?["type"] == "interrupted")
      for (member, value) in [("executing", false), ("enabled", true), ("progress", .null), ("result", JSON.null)] {
        #expect(state[name]?[member] == value)
      }
    }
    #expect(
      state["log"] == [
        "clean executing true", "hidden executing true", "clean interrupted", "clean executing false",
        "hidden interrupted", "hidden executing false", "told of measure", "told of clean", "told of hidden",
      ])
    try await model.interrupt()
    await model.settled()
    #expect(await model.state == state)
    #expect(await again.take(.perform("clean")) == nil)
    #expect(gate.waiting == 1)
  }

  @Test(arguments: [
    (#"{"measure":7}"#, "/measure"), (#"{"measure":{"executing":1}}"#, "/measure/executing"),
    (#"{"measure":{"result":"x"}}"#, "/measure/result"), (#"{"measure":{"error":"x"}}"#, "/measure/error"),
  ]) func `is refused where it does not fit, by its place`(text: String, place: String) {
    Restoring.expectRefusal(of: text, at: place) { [gate] in Work(gate) }
  }
}
