// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// A view model whose command ends as a test says, and whose actions start it.
private final class Kiln: ViewModel {
  struct Cracked: PresentableError {
    let type = "cracked"
    let detail = "the pot has cracked"
  }
  struct Secret: Error {}

  let pots = Observable(0)
  let fire: Command<String, Int>
  let start = Observer<String>()
  let enter = Observer<String>()

  init(_ context: SessionContext, _ gate: Gate<Int>) {
    fire = Command(pots, policy: .queue()) { _, input, _ in
      switch input {
      case "crack": throw Cracked()
      case "hide": throw Secret()
      case "wait": return try await gate.pass()
      default: return 1
      }
    }
    start.handle(self) { kiln, input in
      kiln.pots.value += 1
      kiln.fire.execute(input)
    }
    enter.handle(self) { kiln, name in
      try context.signIn(User(id: name))
      kiln.fire.execute("crack")
    }
  }

  static let surface = Surface<Kiln>(
    "kiln", .value("pots", \.pots), .command("fire", \.fire), .action("start", \.start), .action("enter", \.enter))
}

@Suite(.timeLimit(.minutes(30))) struct `An answer by Prefer handling=strict` {
  let gate = Gate<Int>()
  let server: TestServer
  let client: TestClient
  let url: String

  init() throws {
    server = try TestServer([.hosting { [gate] in Kiln($0, gate) }]) { $0.stopTime() }
    client = try server.client()
    url = try client.open("kiln")
  }

  private static let strict = ("Prefer", "wait=50, handling=strict")

  private func post(
    _ path: String, _ body: String, _ fields: [(String, String)] = [strict]
  ) throws -> TestClient.Response {
    try client.request("POST", "\(url)/actions\(path)", body, fields: fields)
  }

  @Test(arguments: [
    ("/fire", #""crack""#, "cracked", "the pot has cracked"), ("/start", #""crack""#, "cracked", "the pot has cracked"),
    ("/fire", #""hide""#, "internal", "the view model failed; the server's log has the reason"),
    ("", #"[{"do":"/start","value":"bake"},{"do":"/fire","value":"crack"}]"#, "cracked", "the pot has cracked"),
  ])
  func `is a problem if a command has failed, and its changes are made`(
    path: String, body: String, type: String, detail: String
  ) throws {
    let answer = try post(path, body)
    #expect((answer.status, answer.problem) == (424, "command-failed"), "\(answer.text)")
    #expect(answer.json?["commands"] == [["type": .string(type), "detail": .string(detail)]])
    #expect(answer["Preference-Applied"] == "wait=50, handling=strict")
    let state = try client.request("GET", url)
    #expect(state.json?["state"]?["fire"]?["error"]?["type"] == .string(type))
    #expect(state.json?["state"]?["pots"] == (path == "/fire" ? 0 : 1))
    #expect(answer["ETag"] == state["ETag"])
  }

  @Test func `is as any other if all commands have succeeded, and where there are none`() throws {
    for (path, body) in [("/fire", #""bake""#), ("/start", #""bake""#)] {
      let answer = try post(path, body)
      #expect((answer.status, answer["Preference-Applied"]) == (200, "wait=50, handling=strict"))
    }
    #expect(try post("/fire", #""bake""#).json?["result"] == 1)
  }

  @Test func `is a problem if the command is still at work`() throws {
    for handling in ["handling=strict", "wait=1, handling=strict"] {
      // Time has to pass for the listener of the second one.
      let client = try TestServer([.hosting { [gate] in Kiln($0, gate) }]).client()
      let url = try client.open("kiln")
      let answer = try client.request(
        "POST", url + "/actions/fire", #""wait""#, fields: [("Prefer", handling)])
      #expect(answer.status == 424 && answer.json?["commands"]?[0]?["type"] == "at-work", "\(answer.text)")
      gate.open(with: 1)
    }
  }

  @Test func `is a problem if the command was cancelled`() throws {
    let other = try server.poll(url, of: client)
    try client.send("POST", url + "/actions/fire", #""wait""#, fields: [Self.strict])
    #expect(try other.receive().status == 200)
    #expect(try other.request("DELETE", url + "/actions/fire").status == 200)
    let answer = try client.receive()
    #expect(answer.status == 424 && answer.json?["commands"]?[0]?["type"] == "cancelled", "\(answer.text)")
  }

  @Test func `is the same for its key, whatever the request that comes again prefers`() throws {
    let key = ("Idempotency-Key", "tab/1")
    let first = try post("/start", #""crack""#, [Self.strict, key])
    #expect(first.status == 424)
    for fields in [[Self.strict, key], [key]] {
      let again = try post("/start", #""crack""#, fields)
      #expect((again.status, again.text, again["ETag"]) == (424, first.text, first["ETag"]))
    }
    let lenient = ("Idempotency-Key", "tab/2")
    #expect(try post("/start", #""crack""#, [("Prefer", "wait=50"), lenient]).status == 200)
    let again = try post("/start", #""crack""#, [Self.strict, lenient])
    #expect((again.status, again["Preference-Applied"]) == (200, "wait=50"))
    #expect(try client.request("GET", url + "/state/pots").json == 2)
  }

  @Test func `is a problem if nobody knows any more how the request was decided`() throws {
    for number in 1...2 {
      #expect(try post("/start", #""bake""#, [("Idempotency-Key", "tab/\(number)")]).status == 200)
    }
    let again = try post("/start", #""bake""#, [Self.strict, ("Idempotency-Key", "tab/1")])
    #expect(again.status == 424 && again.json?["commands"]?[0]?["type"] == "unknown", "\(again.text)")
  }

  @Test func `brings a new key all the same, by a cookie or as a token`() throws {
    let answer = try post("/enter", #""anna""#)
    #expect(answer.status == 424)
    client.goOn(with: try answer.key)
    #expect(try client.request("GET", url).status == 200)
    let bearer = try server.client()
    let opened = try bearer.request("POST", "/sessions/kiln", #"{"auth":"bearer"}"#)
    let own = try #require(opened["Location"])
    let signed = try bearer.request(
      "POST", own + "/actions/enter", #""anna""#,
      fields: [Self.strict, ("Authorization", "Bearer \(try opened.string("token"))")])
    #expect(signed.status == 424)
    let token = ("Authorization", "Bearer \(try signed.string("token"))")
    #expect(try bearer.request("GET", own, fields: [token]).status == 200)
  }

  @Test func `is for requests that may wait, and changes nothing for others`() throws {
    let answer = try client.request("PUT", url + "/client", #"{"languages":["de"]}"#, fields: [Self.strict])
    #expect((answer.status, answer["Preference-Applied"]) == (200, nil))
  }
}
