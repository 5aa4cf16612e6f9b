// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// A dinner whose dishes belong to those who have brought them.
private final class Dinner: ViewModel {
  struct NotYours: PresentableError {
    let type = "not-yours"
    let detail = "only the person who has brought a dish may take it away"
  }
  @Observed var dishes = 1
  @Observed var wanted = 0

  func takeAway() throws {
    dishes -= 1
    throw NotYours()
  }

  static let surface = Surface<Dinner>(
    "dinner", .value("dishes", \.$dishes), .twoWay("wanted", \.$wanted), .action("takeAway", Dinner.takeAway))
}

/// An action that throws a `PresentableError`.
@Suite(.timeLimit(.minutes(30))) struct `An action that refuses in words for people` {
  let server: TestServer
  let client: TestClient

  init() throws {
    server = try TestServer([.hosting { Dinner() }])
    client = try server.client()
  }

  @Test func `is undone and answered 422, and its key gets the same answer`() throws {
    let url = try client.open("dinner")
    let answers = try (0..<2).map { _ in
      try client.request("POST", "\(url)/actions/takeAway", fields: [("Idempotency-Key", #""tab/1""#)])
    }
    for answer in answers {
      #expect((answer.status, answer.problem) == (422, "refused"))
      #expect(answer.json?["refusal"] == "not-yours")
      #expect(answer.json?["detail"] == "only the person who has brought a dish may take it away")
    }
    #expect(try client.request("GET", url).json?["state"]?["dishes"] == 1)
  }

  @Test func `refuses all of a batch`() throws {
    let url = try client.open("dinner")
    let batch = #"[{"set":"/wanted","value":7},{"do":"/takeAway"}]"#
    let answer = try client.request("POST", "\(url)/actions", batch)
    #expect((answer.status, answer.problem) == (422, "refused"))
    #expect(try client.request("GET", url).json?["state"] == ["dishes": 1, "wanted": 0])
  }

  @Test func `is no error of the view model for the log`() throws {
    let observed = try client.open("dinner")
    _ = try client.request("POST", "\(observed)/actions/takeAway")
    #expect(!server.log.contains { $0.contains("threw") })
  }
}
