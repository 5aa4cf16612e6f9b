// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

/// View models with commands that take as long as the test wants.
final class Search: ViewModel {
  struct NotFound: PresentableError {
    let type = "not-found"
    let detail = "nothing has that name"
  }
  struct Secret: Error, CustomStringConvertible { let description = "password is hunter2" }

  let isOpen = Observable(true)
  let results = KeyedList<Search>()
  let search: Command<String, String>
  let newest: Command<String, String>
  let quick: Command<Int, Int>
  let grow: Command<Void, Void>

  init(_ gate: Gate<String>) {
    search = Command(results, when: isOpen, name: "search") { _, _, run in
      run.report(0.5)
      return try await gate.pass()
    }
    newest = Command(results, policy: .latest) { _, _, _ in try await gate.pass() }
    quick = Command(results) { _, number, _ in
      if number < 0 { throw NotFound() }
      return number * 2
    }
    grow = Command(results) { me, _, _ in
      let key = try await gate.pass()
      try me().append(Search(gate), key: key)
    }
  }

  func toggle() { isOpen.value.toggle() }
  func both(_ text: String) {
    search.execute(text)
    newest.execute(text)
  }

  static let surface = Surface<Search>(
    "search", .command("search", \.search), .command("newest", \.newest), .command("quick", \.quick),
    .command("grow", \.grow), .list("results", \.results), .action("toggle", Search.toggle),
    .action("both", Search.both))
}

@Suite(.timeLimit(.minutes(30))) struct `A command on the surface` {
  let gate = Gate<String>()
  let model: ModelDriver

  init() throws { model = try ModelDriver { [gate] in Search(gate) } }

  @Test func `S1-1 S1-2 is enabled, then executing with its progress, and then has its result`() async throws {
    #expect(model["search"] == `A keyed list`.command)
    #expect(try model.perform("search", "x") == .null)
    #expect(
      model["search"]
        == ["enabled": false, "executing": true, "progress": 0.5, "result": .null, "error": .null])
    gate.open(with: "found")
    await model.settled()
    #expect(
      model["search"]
        == ["enabled": true, "executing": false, "progress": .null, "result": "found", "error": .null])
  }

  @Test func `S1-3 is refused while it executes, unless its policy is to take the latest`() async throws {
    try model.perform("search", "x")
    #expect(
      refusal { try model.perform("search", "y") }
        == "'search' takes no more now: it is executing, and its policy is to refuse")
    try model.perform("newest", "x")
    try model.perform("newest", "y")
    gate.open(with: "first")
    gate.open(with: "second")
    await model.settled()
    #expect(model["search/result"] == "first")
    #expect(model["newest/result"] == "second")
  }

  @Test func `takes a value of its type, and is refused while its condition is false`() throws {
    #expect(refusal { try model.perform("search", 1) } == "expected string, got integer")
    #expect(refusal { try model.perform("search") } == "expected string, got no value")
    #expect(refusal { try model.perform("grow", 1) } == "expected no value, got integer")
    #expect(refusal { try model.set("search", "x") } == "'search' is read-only: the view sees it and cannot write it")
    try model.perform("toggle")
    #expect(model["search/enabled"] == false)
    #expect(refusal { try model.perform("search", "x") } == "'search' is disabled now by the view model")
  }

  @Test func `S1-5 shows an error that is meant to be shown, and of any other only that there was one`() async throws {
    try model.perform("search", "x")
    gate.open(throwing: Search.NotFound())
    await model.settled()
    #expect(model["search/error"] == ["type": "not-found", "detail": "nothing has that name"])
    #expect(model["search/result"] == .null)
    #expect(model.log == [])
    try model.perform("search", "x")
    gate.open(throwing: Search.Secret())
    await model.settled()
    #expect(
      model["search/error"]
        == ["type": "internal", "detail": "the view model failed; the server's log has the reason"])
    #expect(model.log.count == 1)
    #expect(model.log[0].contains("search") && model.log[0].hasSuffix("Secret: password is hunter2"), "\(model.log)")
    try model.perform("search", "x")
    gate.open(with: "found")
    await model.settled()
    #expect(model["search/error"] == .null)
  }

  @Test func `S1-6 is idle when it was cancelled, whatever comes late, and cancelling it idle does nothing`()
    async throws
  {
    try model.perform("search", "x")
    try model.cancel("search")
    #expect(model["search"] == `A keyed list`.command)
    let revision = model.revision
    try model.cancel("search")
    #expect(model.revision == revision)
    gate.open(with: "late")
    try model.perform("newest", "x")
    await model.settled()
    #expect(model["search"] == `A keyed list`.command)
    #expect(model["newest/result"] == "late")
    #expect(
      refusal { try model.cancel("toggle") } == "'toggle' is no command, and cannot be cancelled")
  }

  @Test func `S1-7 that is over at once gives its result with the answer, in one revision`() throws {
    let revision = model.revision
    #expect(try model.perform("quick", 21) == 42)
    #expect(model.revision == revision + 1)
    #expect(try model.perform("quick", -1) == .null)
    #expect(model["quick/error/type"] == "not-found")
  }

  @Test func `ends as timed out when it takes longer than 30 seconds, and a late result changes nothing`()
    async throws
  {
    try model.perform("search", "x")
    model.advance(by: .seconds(29))
    #expect(model["search/executing"] == true)
    model.advance(by: .seconds(1))
    #expect(
      model["search"]
        == [
          "enabled": true, "executing": false, "progress": .null, "result": .null,
          "error": ["type": "timed-out", "detail": "it took longer than 30 s"],
        ])
    gate.open(with: "late")
    try model.perform("newest", "x")
    await model.settled()
    #expect(model["newest/result"] == "late")
    #expect(model["search/result"] == .null)
  }

  @Test func `makes view models after a suspension that belong to the session, with commands of their own`()
    async throws
  {
    try model.perform("grow")
    gate.open(with: "a")
    await model.settled()
    #expect(model["results/order"] == ["a"])
    #expect(try model.perform("results/items/a/quick", 2) == 4)
    try model.perform("results/items/a/search", "deep")
    gate.open(with: "below")
    await model.settled()
    #expect(model["results/items/a/search/result"] == "below")
  }

  @Test func `that a view model starts in its init runs once the session lives`() async throws {
    final class Loading: ViewModel {
      let load: Command<Void, String>
      init(_ gate: Gate<String>) {
        load = Command(gate, name: "load") { gate, _, _ in try await gate().pass() }
        load.execute(())
      }
      static let surface = Surface<Loading>("loading", .command("load", \.load))
    }
    let loading = try ModelDriver { [gate] in Loading(gate) }
    #expect(loading["load/executing"] == true)
    gate.open(with: "loaded")
    await loading.settled()
    #expect(loading["load/result"] == "loaded")
  }

  @Test func `is shown executing when an action starts it, and settles when all are over`() async throws {
    try model.perform("both", "x")
    #expect(model["search/executing"] == true)
    #expect(model["newest/executing"] == true)
    gate.open(with: "1")
    gate.open(with: "2")
    await model.settled()
    #expect(model["search/executing"] == false)
    #expect(model["newest/executing"] == false)
  }

  @Test
  func `lets an observer of a timeout make view models that belong to the session, with commands of their own`()
    throws
  {
    final class Alarming: ViewModel {
      let alerts = KeyedList<Search>()
      let slow: Command<Void, String>
      init(_ gate: Gate<String>) {
        slow = Command(alerts) { _, _, _ in try await gate.pass() }
        let alerts = alerts
        slow.error.addObserver(
          Observer<(any Error)?>(alerts) { alerts, error in
            if error != nil { alerts.append(Search(gate), key: "alert") }
          })
      }
      static let surface = Surface<Alarming>("alarming", .list("alerts", \.alerts), .command("slow", \.slow))
    }
    let gate = Gate<String>()
    let model = try ModelDriver { Alarming(gate) }
    try model.perform("slow")
    model.advance(by: .seconds(30))
    #expect(model["alerts/order"] == ["alert"])
    #expect(try model.perform("alerts/items/alert/quick", 2) == 4)
  }
  @Test func `does not start a run that waits for its turn when the time is over`() throws {
    final class Line: ViewModel {
      let send: Command<String, String>
      init(_ started: @escaping @Sendable (String) -> Void, _ gate: Gate<String>) {
        let none = Observable(0)
        send = Command(none, policy: .queue()) { _, text, _ in
          started(text)
          return try await gate.pass()
        }
      }
      static let surface = Surface<Line>("line", .command("send", \.send))
    }
    let started = Locked<[String]>([])
    let line = try ModelDriver { [gate] in Line({ text in started.withLock { $0.append(text) } }, gate) }
    for text in ["a", "b", "c", "d", "e"] { try line.perform("send", .string(text)) }
    line.advance(by: .seconds(30))
    #expect(line["send/executing"] == false)
    #expect(line["send/error/type"] == "timed-out")
    #expect(started.withLock { $0 } == ["a"])
  }
}
