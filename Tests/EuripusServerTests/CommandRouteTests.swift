// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// A view model with a command that takes as long as the test wants.
final class Working: ViewModel {
  let work: Command<Int, Int>
  let text = Observable(String(repeating: "long enough that the state is longer than one patch. ", count: 8))
  init(_ gate: Gate<Int>) {
    work = Command(text, policy: .refuse) { _, input, run in
      if input == 0 { return 0 }
      return try await gate.pass()
    }
  }
  static let surface = Surface<Working>("working", .command("work", \.work), .value("text", \.text))
}

@Suite(.timeLimit(.minutes(30))) struct `A command over HTTP` {
  let gate = Gate<Int>()
  let server: TestServer
  let client: TestClient
  let url: String

  init() throws {
    server = try TestServer([.hosting { [gate] in Working(gate) }]) { $0.stopTime() }
    client = try server.client()
    url = try client.open("working")
  }

  @Test func `is started by POST, shown as executing, cancelled by DELETE`() async throws {
    let started = try await client.request("POST", url + "/actions/work", "1")
    #expect(started.status == 200)
    #expect(
      started.json?["patch"] == [
        ["op": "replace", "path": "/work/enabled", "value": false],
        ["op": "replace", "path": "/work/executing", "value": true],
      ])
    #expect(started.json?["result"] == .null)
    let again = try await client.request("POST", url + "/actions/work", "1")
    #expect((again.status, again.problem) == (409, "command-busy"))
    let cancelled = try await client.request("DELETE", url + "/actions/work")
    #expect(cancelled.status == 200)
    #expect(
      cancelled.json?["patch"] == [
        ["op": "replace", "path": "/work/enabled", "value": true],
        ["op": "replace", "path": "/work/executing", "value": false],
      ])
    let idle = try await client.request("DELETE", url + "/actions/work")
    #expect(idle.status == 200)
    #expect(idle.json?["patch"] == [])
  }

  /// Sends a request that starts the command and waits for its end, and leaves the answer unread.
  /// Returns another client with the same key as soon as the command is executing.
  func startAndWait(_ fields: [(String, String)] = []) async throws -> TestClient {
    let other = try server.poll(url, of: client)
    try client.send("POST", url + "/actions/work", "1", fields: [("Prefer", "wait=50")] + fields)
    #expect(try await other.receive().status == 200)
    return other
  }

  @Test func `Prefer wait answers when it is over, be it at once, with its result and all that has changed`()
    async throws
  {
    _ = try await startAndWait()
    gate.open(with: 42)
    let answer = try await client.receive()
    #expect(answer.status == 200)
    #expect(answer["Preference-Applied"] == "wait=50")
    #expect(answer.json?["result"] == 42)
    // The patch also has the values that changed and changed back, as no old values are kept. The whole command
    // is shorter than so many members.
    #expect(
      answer.json?["patch"] == [
        [
          "op": "replace", "path": "/work",
          "value": ["enabled": true, "executing": false, "progress": .null, "result": 42, "error": .null],
        ]
      ])
    let quick = try await client.request("POST", url + "/actions/work", "0", fields: [("Prefer", "wait=50")])
    #expect(quick.json?["patch"] == [["op": "replace", "path": "/work/result", "value": 0]])
  }

  @Test func `is over before the answer where it is hosted so, unless the client wants to wait less`() async throws {
    let server = try TestServer([.hosting(awaitsCommands: true) { [gate] in Working(gate) }]) {
      $0.sessions.commandLimit = .seconds(3_600)
    }
    let client = try server.client()
    let url = try await client.open("working")
    let started = try await client.request("POST", url + "/actions/work", "1", fields: [("Prefer", "wait=1")])
    #expect(started.json?["result"] == .null && started["Preference-Applied"] == "wait=1")
    #expect(started.json?["patch"]?[1] == ["op": "replace", "path": "/work/executing", "value": true])
    #expect(try await client.request("DELETE", url + "/actions/work").status == 200)
    let other = try server.poll(url, of: client)
    try client.send("POST", url + "/actions/work", "1")
    #expect(try await other.receive().status == 200)
    gate.open(with: 42)
    let answer = try await client.receive()
    #expect(answer.status == 200 && answer["Preference-Applied"] == nil)
    #expect(answer.json?["result"] == 42)
  }

  @Test func `Prefer wait answers when the server stops, with the command executing`() async throws {
    _ = try await startAndWait()
    server.stop()
    let answer = try await client.receive()
    #expect(answer.status == 200 && answer.json?["result"] == .null)
  }

  @Test
  func `a request with a key is finished though its client left, and answered when it comes again`() async throws {
    let fields = [("Idempotency-Key", "tab/1")]
    let other = try await startAndWait(fields)
    client.leave()
    gate.open(with: 42)
    let again = try await other.request("POST", url + "/actions/work", "1", fields: fields + [("Prefer", "wait=50")])
    #expect(again.json?["result"] == 42, "\(again.text)")
    #expect(again["Preference-Applied"] == "wait=50")
  }
}
