// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@testable import Sessions

/// A view model with commands that give the values that the test lets through the gate.
final class Echo: ViewModel {
  private let calls = Observable(0)
  let fetch: Command<String, String>
  /// A command that runs once at a time; only the input `"wait"` waits at the gate.
  let queued: Command<String, String>
  /// A command that starts another one when it is cancelled.
  let stubborn: Command<Void, String>

  init(_ gate: Gate<String>) {
    fetch = Command(calls) { _, _, _ in try await gate.pass() }
    queued = Command(calls, policy: .queue(limit: 4)) { _, text, _ in text == "wait" ? try await gate.pass() : text }
    stubborn = Command(calls) { _, _, _ in
      try await gate.pass()
    } onCancel: { calls in
      Command<Void, Void>(calls) { calls, _, _ in try calls().value += 1 }.execute(())
    }
  }

  static let surface = Surface<Echo>(
    "echo", .command("fetch", \.fetch), .command("queued", \.queued), .command("stubborn", \.stubborn))
}

@Suite(.timeLimit(.minutes(30))) struct `A request that waits for a command` {
  let gate = Gate<String>()
  let host: SessionHost
  let session: Session

  init() throws {
    host = SessionHost.still([.hosting { [gate] in Echo(gate) }])
    session = try host.open("echo", as: nil).session
  }

  /// Starts a command. The stream has its result when it is over, or "closed".
  private func start(_ path: String, _ value: JSON?) throws -> AsyncStream<JSON> {
    let (results, result) = AsyncStream.makeStream(of: JSON.self)
    try session.now { session in
      session.begin(.waiting(for: [.perform([path], value)])) { answer in
        switch answer {
        case .success(.frame(let message)): result.yield((try? message.value)?["result"] ?? "no frame with a result")
        case .success(let other): result.yield(.string("\(other)"))
        case .failure(SessionError.closed): result.yield("closed")
        case .failure(let error): result.yield(.string("\(error)"))
        }
        result.finish()
      }
      #expect(!session.commandWaits.isEmpty)
    }
    return results
  }

  private func first(_ results: AsyncStream<JSON>) async -> JSON? { await results.first { _ in true } }

  @Test func `gets the result of the run, and none of one that was cancelled, whatever came before`() async throws {
    let done = try start("fetch", "x")
    gate.open(with: "found")
    #expect(await first(done) == "found")
    let cancelled = try start("fetch", "x")
    _ = try session.now { try $0.cancel(["fetch"], since: nil, ifMatch: nil) }
    #expect(await first(cancelled) == .null)
  }

  @Test func `gets the result of its own run, though another is over in the same turn`() async throws {
    let one = try start("queued", "wait")
    let other = try start("queued", "other")
    gate.open(with: "one")
    #expect(await first(one) == "one")
    #expect(await first(other) == "other")
  }

  @Test func `is told that the session was closed, whatever starts when its run is cancelled`() async throws {
    let closed = try start("stubborn", nil)
    host.close(session)
    #expect(await first(closed) == "closed")
  }
}

@Suite struct `The results of a frame that was kept` {
  @Test(arguments: [
    (#"{"from":null,"to":"a.2","state":{},"result":"x"}"#, #""result":"x""#),
    (#"{"from":"a.1","to":"a.2","patch":[],"result":null}"#, #""result":null"#),
    (#"{"from":"a.1","to":"a.2","patch":[],"results":[1.5,{"a":[true]},null]}"#, #""results":[1.5,{"a":[true]},null]"#),
    (#"{"from":"a.1","to":"a.2","patch":[],"results":[]}"#, #""results":[]"#),
  ])
  func `are written again as they were`(frame: String, results: String) throws {
    let message = Message(json: Array(frame.utf8), version: Version(epoch: "a", revision: 2))
    var writer = JSONWriter()
    writer.beginObject()
    try #require(ActionResults(of: message)).write(to: &writer)
    writer.endObject()
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "{\(results)}")
  }

  @Test(arguments: [
    (#"{"to":"a.2","result":"x"}"#, true), (#"{"from":"a.1","to":"a.2","patch":[],"result":"x"}"#, false),
    (#"{"from":null,"to":"a.2","state":{},"results":[]}"#, false),
  ])
  func `are those of a minimal frame again, if it was one`(frame: String, isMinimal: Bool) {
    let message = Message(json: Array(frame.utf8), version: Version(epoch: "a", revision: 2))
    #expect(ActionResults(of: message)?.isMinimal == isMinimal)
  }
}
