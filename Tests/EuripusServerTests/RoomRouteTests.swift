// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// A table in a room of its own, which users and others may share unless its name begins with a dot.
private final class Table: ViewModel {
  struct Name: Codable, JSONRepresentable, Sendable { var table: String }

  private let context: SessionContext
  @Observed var lines: [String] = []

  init(_ context: SessionContext) { self.context = context }

  func say(_ text: String) { lines.append("\(context.action?.user?.name ?? "somebody"): \(text)") }

  static let surface = Surface<Table>(
    "table", .params(Name.self), .value("lines", \.$lines), .action("say", Table.say))
}

/// The routes of a room (PROTOCOL §2).
@Suite(.timeLimit(.minutes(30))) struct `A room's routes` {
  private let server: TestServer

  init() throws {
    server = try TestServer([
      .hosting { Gatehouse($0) },
      .hosting(scope: .room { (table: Table.Name, user) in !table.table.hasPrefix(".") || user?.name == "anna" }) {
        Table($0)
      },
    ])
  }

  private func open(_ client: TestClient, _ name: String) throws -> TestClient.Response {
    try client.request("POST", "/sessions/table", #"{"params":{"table":"\#(name)"}}"#)
  }

  @Test func `lead clients with keys of their own to one session, whose lines say who has written them`() throws {
    let (anna, bob) = (try server.client(), try server.client())
    _ = try anna.enter("anna")
    let (first, second) = (try open(anna, "blue"), try open(bob, "blue"))
    let url = try #require(first["Location"])
    #expect(first.status == 201 && second.status == 201 && second["Location"] == url)
    let said = try anna.request("POST", "\(url)/actions/say", #""hello""#)
    #expect(said.status == 200, "\(said.text)")
    try bob.request("POST", "\(url)/actions/say", #""hi""#)
    #expect(try bob.request("GET", url).json?["state"]?["lines"] == ["anna: hello", "somebody: hi"])
  }

  @Test func `answer a client that leaves with 204, end its polls, and go on for the others`() throws {
    let (anna, bob) = (try server.client(), try server.client())
    let url = try #require(try open(anna, "blue")["Location"])
    _ = try open(bob, "blue")
    let (hers, his) = (try server.poll(url, of: anna), try server.poll(url, of: bob))
    try anna.untilMetric("euripus_polls_waiting 2")
    #expect(try anna.request("DELETE", url).status == 204)
    #expect(try hers.receive().problem == "session-closed")
    // A page that is closed says that it leaves, and the room is not idle for that.
    #expect(try bob.request("POST", "\(url)/leaving").status == 204)
    let said = try anna.request("POST", "\(url)/actions/say", #""hello""#)
    #expect(said.status == 200, "\(said.text)")
    let told = try his.receive()
    #expect(told.json?["state"]?["lines"] == ["somebody: hello"], "\(told.status) \(told.text)")
  }

  @Test func `refuse whoever may not enter in one way, whether the room lives or not`() throws {
    let (anna, bob, nobody) = (try server.client(), try server.client(), try server.client())
    _ = try anna.enter("anna")
    _ = try bob.enter("bob")
    let url = try #require(try open(anna, ".hers")["Location"])
    for name in [".hers", ".another"] {
      let (his, theirs) = (try open(bob, name), try open(nobody, name))
      #expect((his.status, his.problem) == (403, "not-allowed"))
      #expect((theirs.status, theirs.problem) == (401, "sign-in-needed"))
    }
    _ = try open(bob, "blue")
    for path in ["", "/changes", "/state/lines"] { #expect(try bob.request("GET", url + path).problem == "no-session") }
    #expect(try bob.request("POST", "\(url)/actions/say", #""hello""#).problem == "no-session")
    #expect(try bob.request("DELETE", url).problem == "no-session")
  }

  @Test func `let a member's polls go when its user does, and let it in as far as it may then`() throws {
    let anna = try server.client()
    let gate = try anna.enter("anna")
    let url = try #require(try open(anna, ".hers")["Location"])
    let poll = try server.poll(url, of: anna)
    try anna.untilMetric("euripus_polls_waiting 1")
    #expect(try anna.request("POST", "\(gate)/actions/leave").status == 200)
    let answer = try poll.receive()
    #expect(answer.status == 204 && answer["Retry-After"] != nil)
    #expect(try anna.request("GET", url).problem == "no-session")
  }

  /// The server handles such a request again and again, as it looks in the store for the room, and counts it once.
  @Test func `count an opening by a client that nobody knows once, where there is a store`() throws {
    let folder = try PublicFolder(["store/empty": ""])
    let server = try TestServer([.hosting(scope: .room { (_: Table.Name, _) in true }) { Table($0) }]) {
      $0.sessions.storage = .sqlite("\(folder.path)/store/sessions.db")
      $0.sessions.openingRate = Rate(1, per: .seconds(3_600), burst: 4)
    }
    let answers = try ["a", "b", "b", "c", "d"].map { try open(server.client(), $0).status }
    #expect(answers == [201, 201, 201, 201, 429])
  }

  @Test func `let a client in by an invitation, once, and no longer than the room wants it`() throws {
    let server = try TestServer([
      .hosting { Gatehouse($0) },
      .hosting(scope: .room { (desk: Desk.Name, user) in user?.name == desk.owner }.orInvited) { Desk($0) },
    ]) { $0.administration = .address(host: "127.0.0.1", port: 0) }
    let (anna, bob, eve) = (try server.client(), try server.client(), try server.client())
    _ = try anna.enter("anna")
    let annas = #"{"params":{"owner":"anna"}}"#
    func open(_ client: TestClient, _ owner: String, by invitation: String) throws -> TestClient.Response {
      try client.request(
        "POST", "/sessions/desk", #"{"params":{"owner":"\#(owner)"},"invitation":"\#(invitation)"}"#)
    }
    let url = try #require(try anna.request("POST", "/sessions/desk", annas)["Location"])
    let invited = try anna.request("POST", "\(url)/actions/invite")
    guard case .string(let invitation)? = invited.json?["result"] else { return #expect(Bool(false), "no invitation") }
    // Neither a wrong invitation nor one for another room lets anybody in, and no answer says whether that room lives.
    for refused in [
      try open(eve, "anna", by: "x"), try open(eve, "bert", by: invitation), try open(eve, "bert", by: "x"),
    ] {
      #expect((refused.status, refused.problem) == (403, "no-invitation"))
      #expect(refused["Set-Cookie"] == nil)
    }
    let number = #"{"params":{"owner":"anna"},"invitation":7}"#
    #expect(try eve.request("POST", "/sessions/desk", number).problem == "invalid-action")
    let entered = try open(bob, "anna", by: invitation)
    #expect(entered.status == 201 && entered["Location"] == url, "\(entered.text)")
    let operators = try TestClient(port: server.administrationPort)
    let id = url.split(separator: "/").last.map(String.init) ?? ""
    let guests = try operators.request("GET", "/sessions/\(id)").json?["guests"]
    #expect(guests?[0]?["role"] == "helper" && guests?[1] == nil)
    #expect(try open(eve, "anna", by: invitation).problem == "no-invitation")
    #expect(try eve.request("POST", "/sessions/desk", annas).problem == "sign-in-needed")
    // The one who came may say so again, and come back without it.
    #expect(try open(bob, "anna", by: invitation)["Location"] == url)
    #expect(try bob.request("POST", "/sessions/desk", annas)["Location"] == url)
    #expect(try bob.request("POST", "\(url)/actions/help").status == 200)
    #expect(try anna.request("POST", "\(url)/actions/help").problem == "not-allowed")
    #expect(try !anna.request("GET", url).text.contains(invitation))
    // Bob signs in, and from then on it is his place, and not that of the next one at his browser.
    let gate = try bob.enter("bob")
    #expect(try bob.request("POST", "\(url)/actions/help").status == 200)
    bob.goOn(with: try bob.request("POST", "\(gate)/actions/leave").key)
    #expect(try bob.request("GET", url).problem == "no-session")
    _ = try bob.enter("mallory")
    #expect(try bob.request("GET", url).problem == "no-session")
    _ = try bob.enter("bob")
    // Whom the rule lets in needs no invitation, and one that does not count is none.
    #expect(try open(anna, "anna", by: "x").status == 201)
    let waiting = try server.poll(url, of: bob)
    try anna.untilMetric("euripus_polls_waiting 1")
    #expect(try anna.request("POST", "\(url)/actions/close").status == 200)
    let told = try waiting.receive()
    #expect((told.status, told["Retry-After"]) == (204, "0"))
    #expect(try bob.request("GET", url).problem == "no-session")
    #expect(try bob.request("POST", "/sessions/desk", annas).problem == "not-allowed")
    #expect(server.log.allSatisfy { !$0.contains(invitation) })
  }

  @Test func `tell operators the parameters of each room, in memory and in the store, and its guests`() throws {
    let folder = try PublicFolder(["store/empty": ""])
    let models: [HostedModelType] = [
      .hosting(scope: .room) { Table($0) }, .hosting(scope: .room { $0 == nil }.orInvited) { Desk($0) },
    ]
    func server() throws -> TestServer {
      try TestServer(models) {
        $0.administration = .address(host: "127.0.0.1", port: 0)
        $0.sessions.storage = .sqlite("\(folder.path)/store/sessions.db")
      }
    }
    let first = try server()
    let client = try first.client()
    let url = try #require(try open(client, "blue")["Location"])
    let desk = try #require(
      try client.request("POST", "/sessions/desk", #"{"params":{"owner":"anna"}}"#)["Location"])
    for url in ["\(url)/actions/say", "\(desk)/actions/invite"] {
      #expect(try client.request("POST", url, url.hasSuffix("say") ? #""hello""# : "").status == 200)
    }
    func list(_ server: TestServer) throws -> [JSON?] {
      let operators = try TestClient(port: server.administrationPort)
      guard case .array(let found)? = try operators.request("GET", "/sessions").json?["sessions"] else { return [] }
      return found.map { $0["params"] }
    }
    func areThere(_ params: [JSON?]) -> Bool {
      params.count == 2 && params.contains(["table": "blue"]) && params.contains(["owner": "anna"])
    }
    #expect(areThere(try list(first)))
    let operators = try TestClient(port: first.administrationPort)
    let id = String(try #require(desk.split(separator: "/").last))
    #expect(try operators.request("GET", "/sessions/\(id)").json?["guests"] == [])
    first.stop()
    #expect(areThere(try list(server())))
  }

  @Test func `refuse a member's action too many as a limit of that client's, and not of the room's`() throws {
    let server = try TestServer([.hosting(scope: .room) { Table($0) }]) {
      $0.sessions.actionRate = Rate(1, per: .seconds(3_600), burst: 1)
    }
    let (anna, bob) = (try server.client(), try server.client())
    let url = try #require(try open(anna, "blue")["Location"])
    _ = try open(bob, "blue")
    #expect(try anna.request("POST", "\(url)/actions/say", #""one""#).status == 200)
    let refused = try anna.request("POST", "\(url)/actions/say", #""two""#)
    #expect((refused.status, refused.problem) == (429, "too-many-requests"))
    #expect((refused.json?["limit"], refused.json?["scope"]) == ("actions-per-second", "client"))
    #expect(try bob.request("POST", "\(url)/actions/say", #""three""#).status == 200)
  }

  @Test func `refuse an invitation too many as a limit of the room, and no log has it as a fault of the app`() throws {
    let server = try TestServer([.hosting(scope: .room.orInvited) { Desk($0) }]) { $0.sessions.actionRate = nil }
    let client = try server.client()
    let url = try #require(
      try client.request("POST", "/sessions/desk", #"{"params":{"owner":"anna"}}"#)["Location"])
    for _ in 1...200 { #expect(try client.request("POST", "\(url)/actions/invite").status == 200) }
    let refused = try client.request("POST", "\(url)/actions/invite")
    #expect((refused.status, refused.problem) == (507, "state-too-large"))
    #expect((refused.json?["limit"], refused.json?["scope"]) == ("invitations", "session"))
    #expect(refused.text.contains("expected one to be used or withdrawn first"), "\(refused.text)")
    #expect(server.log.allSatisfy { !$0.contains("invit") })
  }
}

/// A desk of one person, who may invite a helper.
private final class Desk: ViewModel {
  struct Name: Codable, JSONRepresentable, Sendable { var owner: String }

  private let context: SessionContext
  @Observed var helped = 0

  init(_ context: SessionContext) { self.context = context }

  func invite() throws -> String { try context.invite(as: "helper") }
  func help() { helped += 1 }
  func close() throws { for guest in try context.guests.get() { try context.dismiss(guest.client) } }

  static let surface = Surface<Desk>(
    "desk", .params(Name.self), .value("helped", \.$helped), .action("invite", Desk.invite),
    .action("help", Desk.help).for(.role("helper")), .action("close", Desk.close))
}
