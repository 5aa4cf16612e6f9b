// SPDX-License-Identifier: MIT
import Testing

@testable import Sessions
@testable import Storing

@Suite struct `The requests that wait for commands` {
  private var waits = CommandWaits()

  /// Adds the wait of a request of a client for a run with a result.
  private mutating func add(_ run: UInt64, key: String? = nil, of client: String = "anna") throws -> ChangeRequest {
    let request = Self.request(client)
    let results = ActionResults(isList: false, parts: [.init(path: ["save"], run: run)])
    waits.add(
      CommandWait(
        (request, { _ in }), key: try key.map { try Driven.request($0) }, since: Version(epoch: "e", revision: 1),
        results, for: [run]))
    return request
  }

  private static func request(_ client: String) -> ChangeRequest {
    ChangeRequest(
      .failure(SessionError.closed), key: nil, from: Requester(Credential(hashing: client)),
      refusal: { ChangeRequest.Refusal($0, kept: nil) })
  }

  @Test mutating func `are answered with the results of their runs, when all of these are over`() throws {
    let (first, second) = (try add(1), try add(2))
    #expect(waits.path(ofResultOf: 2) == ["save"])
    #expect(waits.removeOver().isEmpty)
    waits.noteEnd(of: 2, result: Array("7".utf8))
    let over = waits.removeOver()
    #expect(over.map { $0.request === second } == [true])
    #expect(over.first?.results.parts.map(\.result) == [Array("7".utf8)])
    #expect(waits.readerCount == 1 && waits.request(waitingFor: 1) === first)
  }

  @Test mutating func `have no result of a run that was stopped`() throws {
    _ = try add(1)
    waits.noteEnd(of: 1, result: nil)
    #expect(waits.removeOver().first?.results.parts.map(\.result) == [ActionResults.Part.none])
  }

  @Test mutating func `are joined by the same request, and by no other, and taken out with it`() throws {
    _ = try add(1, key: "a")
    let again = Self.request("anna")
    #expect(waits.join((again, { _ in }), try Driven.request("a")) == true)
    #expect(waits.join((again, { _ in }), try Driven.request("b")) == false)
    #expect(waits.readerCount == 2)
    var closed = waits
    #expect(closed.removeAll().count == 2 && closed.isEmpty)
    #expect(waits.remove(again)?.readers.count == 2)
  }

  @Test(arguments: [nil, "a"]) mutating func `without a reader wait on if they have a key`(key: String?) throws {
    let request = try add(1, key: key)
    waits.removeReader(of: request)
    #expect(waits.isEmpty == (key == nil))
    #expect(waits.readerCount == 0 && waits.request(waitingFor: 1) == nil)
  }

  @Test mutating func `lose the readers of a client, but for the request that is kept`() throws {
    let (kept, _, bobs) = (try add(1), try add(2), try add(3, of: "bob"))
    let removed = waits.removeReaders(of: Credential(hashing: "anna"), but: kept)
    #expect(removed.count == 1 && removed.first?.request !== kept && removed.first?.request !== bobs)
    #expect(waits.readerCount == 2)
    #expect(waits.removeReaders(of: nil, but: nil).count == 2)
    #expect(waits.isEmpty)
  }
}
