// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

@Suite(.timeLimit(.minutes(30))) struct `A request with a key that starts a command` {
  let gate = Gate<String>()
  let host: SessionHost
  let session: Session
  let request = KeyedRequest(
    key: .numbered(name: "tab", number: 1), digest: Digest(method: "POST", path: ["fetch"], body: [], key: nil))

  init() throws {
    host = SessionHost.still([.hosting { [gate] in Echo(gate) }])
    session = try host.open("echo", as: nil).session
  }

  /// A client that sends the request, and the answer that it gets.
  struct Reader: Sendable {
    let request: ChangeRequest
    let answers: AsyncStream<String>
    private let told: AsyncStream<String>.Continuation

    init(_ key: KeyedRequest) {
      request = .waiting(for: [.perform(["fetch"], "x")], key: key)
      (answers, told) = AsyncStream.makeStream(of: String.self)
    }

    func tell(_ answer: Result<ChangeRequest.Outcome, any Error>) {
      switch answer {
      case .success(.frame(let message)), .success(.again(.frame(let message))):
        told.yield(String(decoding: message.json, as: UTF8.self))
      case .success(let other): told.yield("\(other)")
      case .failure(SessionError.closed): told.yield("closed")
      case .failure(let error): told.yield("\(error)")
      }
      told.finish()
    }

    var answer: String? { get async { await answers.first { _ in true } } }
  }

  /// Sends the request. Returns the number of requests that wait for its commands then.
  private func send(_ reader: Reader) throws -> Int {
    try session.now { session in
      session.begin(reader.request) { reader.tell($0) }
      return session.commandWaits.readerCount
    }
  }

  @Test func `has the same requests that come meanwhile wait for the one answer`() async throws {
    let (first, second, third) = (Reader(request), Reader(request), Reader(request))
    #expect(try send(first) == 1)
    #expect(try send(second) == 2)
    #expect(try send(third) == 3)
    gate.open(with: "found")
    let answer = try #require(await first.answer)
    #expect(answer.hasSuffix(#""result":"found"}"#))
    #expect(await second.answer == answer)
    #expect(await third.answer == answer)
    let late = Reader(request)
    #expect(try send(late) == 0)
    #expect(await late.answer == answer)
  }

  @Test func `is answered for all when the first of them has waited long enough`() async throws {
    let (first, second, third) = (Reader(request), Reader(request), Reader(request))
    #expect(try send(first) == 1)
    #expect(try send(second) == 2)
    try session.now { $0.endWait(of: second.request, hasReader: true) }
    let answer = try #require(await second.answer)
    #expect(answer.hasSuffix(#""result":null}"#))
    #expect(await first.answer == answer)
    gate.open(with: "found")
    #expect(try send(third) == 0)
    #expect(await third.answer == answer)
  }

  @Test func `goes on when its client has left, and is answered when it comes again`() async throws {
    let (first, second, third) = (Reader(request), Reader(request), Reader(request))
    #expect(try send(first) == 1)
    try session.now { $0.endWait(of: first.request, hasReader: false) }
    #expect(try send(second) == 1)
    gate.open(with: "found")
    let answer = try #require(await second.answer)
    #expect(answer.hasSuffix(#""result":"found"}"#))
    #expect(try send(third) == 0)
    #expect(await third.answer == answer)
  }

  @Test func `is over for good when the command takes too long and no client waits`() async throws {
    let clock = ManualClock()
    let host = SessionHost([.hosting { [gate] in Echo(gate) }], now: { clock.now })
    let session = try host.open("echo", as: nil).session
    let (first, second) = (Reader(request), Reader(request))
    try session.now { session in session.begin(first.request) { first.tell($0) } }
    try session.now { $0.endWait(of: first.request, hasReader: false) }
    clock.advance(by: .seconds(31))
    host.expire()
    try session.now { session in session.begin(second.request) { second.tell($0) } }
    #expect(await second.answer?.contains("timed-out") == true)
  }
}
