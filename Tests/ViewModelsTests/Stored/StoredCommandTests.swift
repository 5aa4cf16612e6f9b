// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Testing
import ViewModels

@testable import ObservableCore

@Suite(.timeLimit(.minutes(5))) struct `The stored state of a command` {
  struct Full: PresentableError {
    let type = "full"
    let detail = "there is no room"
  }

  /// A view model with a command that the view sees, one that it does not see, one without a result, and one in
  /// each row.
  final class Work: ViewModel {
    final class Row: ViewModel {
      private let gate: Gate<Int>
      private(set) lazy var run = Command<Void, Int>(self) { me, _, _ in
        let gate = try me().gate
        return try await gate.pass()
      }
      init(_ gate: Gate<Int>) { self.gate = gate }
      static let surface = Surface<Row>("row", .command("run", \.run))
    }

    let log = Observable<[String]>([])
    let rows = KeyedList<Row>()
    private(set) lazy var measure = Command<Int, Int?>(self, policy: .queue(), name: "measure") { me, _, run in
      let gate = try me().gate
      run.report(0.5)
      return try await gate.pass()
    }
    private(set) lazy var clean = Command<Void, Void>(self, name: "clean") { me, _, _ in
      let gate = try me().gate
      _ = try await gate.pass()
    }
    private lazy var hidden = Command<Void, Void>(self, name: "hidden") { me, _, _ in
      let gate = try me().gate
      _ = try await gate.pass()
    }
    let begin = Observer<Void>()
    private let gate: Gate<Int>

    init(_ gate: Gate<Int>) {
      self.gate = gate
      rows.append(Row(gate), key: "a")
      for (name, command) in [("clean", clean), ("hidden", hidden)] {
        command.executing.addObserver(Observer(self) { $0.log.value.append("\(name) executing \($1)") })
        command.error.addObserver(
          Observer(self) { work, error in
            work.log.value.append("\(name) \((error as? any PresentableError)?.type ?? "no error")")
          })
      }
      begin.handle(self) { work, _ in work.hidden.execute((), isolation: nil) }
    }

    static let surface = Surface<Work>(
      "work", .value("log", \.log), .list("rows", \.rows), .command("measure", \.measure), .command("clean", \.clean),
      .stored("hidden", \.hidden), .action("begin", \.begin))
  }

  private let gate = Gate<Int>()

  private func work() async throws -> LivingModel {
    let gate = gate
    return try await LivingModel(.hosting { Work(gate) })
  }

  private func restart(_ model: LivingModel) async throws -> LivingModel {
    let gate = gate
    return try await LivingModel(.hosting { Work(gate) }, stored: model.stored)
  }

  @Test func `is nothing before it was first executed`() async throws {
    #expect(try await work().stored == ["log": [], "rows": ["order": ["a"], "gone": [], "items": [:]]])
  }

  @Test func `has what it came to`() async throws {
    let model = try await work()
    #expect(await model.take(.perform(["measure"], 1)) == nil)
    #expect(await model.take(.perform(["rows", "items", "a", "run"], nil)) == nil)
    gate.open(with: 7)
    gate.open(with: 8)
    await model.settled()
    #expect(await model.take(.perform(["clean"], nil)) == nil)
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
    let model = try await work()
    #expect(await model.take(.perform(["clean"], nil)) == nil)
    gate.open(with: 1)
    await model.settled()
    #expect(await model.stored["clean"] == ["result": .null])
    #expect(try await restart(model).stored["clean"] == ["result": .null])
  }

  @Test func `has of an error that is for nobody to see only that there was one`() async throws {
    struct Secret: Error { let password = "sakura" }
    let model = try await work()
    #expect(await model.take(.perform(["clean"], nil)) == nil)
    gate.open(throwing: Secret())
    await model.settled()
    #expect(await model.stored["clean"]?["error"]?["type"] == "internal")
    #expect(await !String(decoding: model.storedText, as: UTF8.self).contains("sakura"))
    let again = try await restart(model)
    #expect(await again.state == model.state)
  }

  @Test func `comes back interrupted if it was executing, which is told, and is not executed again`() async throws {
    let model = try await work()
    #expect(await model.take(.perform(["clean"], nil)) == nil)
    #expect(await model.take(.perform(["measure"], 1)) == nil)
    #expect(await model.take(.perform(["measure"], 2)) == nil)
    #expect(await model.take(.perform(["begin"], nil)) == nil)
    #expect(await model.stored["clean"] == ["executing": true])
    let waiting = gate.waiting
    let again = try await restart(model)
    await again.settled()
    #expect(gate.waiting == waiting)
    let state = await again.state
    for name in ["clean", "measure"] {
      #expect(state[name]?["executing"] == false)
      #expect(state[name]?["enabled"] == true)
      #expect(state[name]?["progress"] == .null)
      #expect(state[name]?["result"] == .null)
      #expect(state[name]?["error"]?["type"] == "interrupted")
    }
    #expect(
      state["log"] == [
        "clean executing true", "hidden executing true", "clean interrupted", "clean executing false",
        "hidden interrupted", "hidden executing false",
      ])
    try await model.interrupt()
    await model.settled()
    #expect(await model.state == state)
    #expect(await again.take(.perform(["clean"], nil)) == nil)
    #expect(gate.waiting == 1)
  }

  @Test(arguments: [
    (#"{"measure":7}"#, "/measure"), (#"{"measure":{"executing":1}}"#, "/measure/executing"),
    (#"{"measure":{"result":"x"}}"#, "/measure/result"), (#"{"measure":{"error":"x"}}"#, "/measure/error"),
  ]) func `is refused where it does not fit, by its place`(text: String, place: String) {
    let gate = gate
    let error = #expect(throws: StoredStateError.self) { try Restoring.restore(text) { Work(gate) } }
    #expect(error?.description.contains("'\(place)'") == true, "got: \(error?.description ?? "nothing")")
  }
}
