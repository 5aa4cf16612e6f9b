// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Testing
import ViewModels

@testable import Sessions

@Suite(.timeLimit(.minutes(5))) struct `A request with a key that starts a command` {
  let gate = Gate<String>()
  let host: SessionHost
  let session: Session
  let request = KeyedRequest(
    key: .numbered(name: "tab", number: 1), digest: RequestDigest(method: "POST", path: ["fetch"], body: [], key: nil))

  init() throws {
    host = SessionHost([.hosting { [gate] in Echo(gate) }])
    session = try host.open("echo", as: nil).session
  }

  /// Who waits, and what they are told.
  struct Reader {
    let waiter: ActionWaiter
    let answers: AsyncStream<String>

    init(_ id: UInt64) {
      let (answers, answer) = AsyncStream.makeStream(of: String.self)
      self.answers = answers
      waiter = ActionWaiter(id: id) { told in
        switch told {
        case .frame(let message): answer.yield(String(decoding: message.json, as: UTF8.self))
        case .closed: answer.yield("closed")
        case .failed(let error): answer.yield("\(error)")
        }
        answer.finish()
      }
    }

    var answer: String? { get async { await answers.first { _ in true } } }
  }

  private func start(_ reader: Reader) throws {
    let message = try session.now { [request] session in
      try session.perform(["fetch"], "x", since: nil, ifMatch: nil, waiter: reader.waiter, of: request)
    }
    #expect(message == nil)
  }

  /// What is known of the request when it comes again.
  private func again(_ reader: Reader) throws -> String {
    try session.now { [request] session in
      switch try session.earlier(request, waiter: reader.waiter) {
      case .nothing: "nothing"
      case .answer(.frame(let message)): String(decoding: message.json, as: UTF8.self)
      case .answer(.other): "another answer"
      case .decided: "decided"
      case .atWork: "at work"
      case .closed: "closed"
      }
    }
  }

  @Test func `has all who send it again meanwhile wait for the one answer`() async throws {
    let (first, second, third) = (Reader(1), Reader(2), Reader(3))
    try start(first)
    #expect(try again(second) == "at work")
    #expect(try again(third) == "at work")
    gate.open(with: "found")
    let answer = try #require(await first.answer)
    #expect(answer.hasSuffix(#""result":"found"}"#))
    #expect(await second.answer == answer)
    #expect(await third.answer == answer)
    #expect(try again(Reader(4)) == answer)
  }

  @Test func `is answered for all when the first of them has waited long enough`() async throws {
    let (first, second) = (Reader(1), Reader(2))
    try start(first)
    #expect(try again(second) == "at work")
    try session.now { $0.endActionWait(2, hasReader: true) }
    let answer = try #require(await second.answer)
    #expect(answer.hasSuffix(#""result":null}"#))
    #expect(await first.answer == answer)
    gate.open(with: "found")
    #expect(try again(Reader(3)) == answer)
  }

  @Test func `goes on when who sent it has left, and answers who sends it again`() async throws {
    try start(Reader(1))
    try session.now { $0.endActionWait(1, hasReader: false) }
    let second = Reader(2)
    #expect(try again(second) == "at work")
    gate.open(with: "found")
    let answer = try #require(await second.answer)
    #expect(answer.hasSuffix(#""result":"found"}"#))
    #expect(try again(Reader(3)) == answer)
  }

  @Test func `tells all who wait that the session was closed`() async throws {
    let (first, second) = (Reader(1), Reader(2))
    try start(first)
    #expect(try again(second) == "at work")
    host.close(session)
    #expect(await first.answer == "closed")
    #expect(await second.answer == "closed")
  }

  @Test func `is over for good when the command takes too long and nobody waits`() async throws {
    let clock = ManualClock()
    let host = SessionHost([.hosting { [gate] in Echo(gate) }], now: { clock.now })
    let session = try host.open("echo", as: nil).session
    let reader = Reader(1)
    _ = try session.now { [request] session in
      try session.perform(["fetch"], "x", since: nil, ifMatch: nil, waiter: reader.waiter, of: request)
    }
    try session.now { $0.endActionWait(1, hasReader: false) }
    clock.advance(by: .seconds(31))
    host.expire()
    let answered = try session.now { [request] session -> Message? in
      guard case .answer(.frame(let message)) = try session.earlier(request, waiter: Reader(2).waiter) else {
        return nil
      }
      return message
    }
    let frame = try #require(answered)
    #expect(String(decoding: frame.json, as: UTF8.self).contains("timed-out"))
  }
}
