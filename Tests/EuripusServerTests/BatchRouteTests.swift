// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// A page whose login is enabled by a combiner, with a list and a command.
final class Account: ViewModel {
  final class Address: ViewModel {
    let city = Observable("")
    static let surface = Surface<Address>("address", .twoWay("city", \.city))
  }

  struct Failure: Error {}
  let username = Observable("")
  let password = Observable("")
  let enabled = ObservableCombiner<Bool>(.every, false)
  let greeting = Observable("")
  let padding = Observable(String(repeating: "long enough that the state is longer than one patch. ", count: 8))
  let addresses = KeyedList<Address>()
  let login = Observer<Void>()
  let fail = Observer<Void>()
  let add = Observer<String>()
  let remove = Observer<String>()
  let save: Command<Int, Int>

  init(_ gate: Gate<Int>) {
    // With 0 the command gives the length of the name. With another input it waits at the gate.
    save = Command(username, policy: .refuse) { username, input, _ in
      if input == 0 { return try username().value.count }
      return try await gate.pass()
    }
    enabled.combine(username).combine(password).handle { $0.count > 5 && $1.count > 5 }
    login.handle(self) { me, _ in me.greeting.value = "Hello, \(me.username.value)" }
    fail.handle(self) { me, _ in
      me.greeting.value = "half done"
      throw Failure()
    }
    add.handle(self) { me, key in me.addresses.append(Address(), key: key) }
    remove.handle(self) { me, key in me.addresses.remove(key) }
  }

  static let surface = Surface<Account>(
    "account", .twoWay("username", \.username), .secret("password", \.password), .value("enabled", \.enabled),
    .value("greeting", \.greeting), .value("padding", \.padding), .list("addresses", \.addresses),
    .action("login", \.login, when: \.enabled), .action("fail", \.fail), .action("add", \.add),
    .action("remove", \.remove), .command("save", \.save))
}

@Suite(.timeLimit(.minutes(30))) struct `Many actions at once` {
  let gate = Gate<Int>()
  let server: TestServer
  let client: TestClient
  let url: String

  init() throws {
    server = try TestServer([.hosting { [gate] in Account(gate) }]) { $0.stopTime() }
    client = try server.client()
    url = try client.open("account")
  }

  func send(_ body: String, fields: [(String, String)] = []) async throws -> TestClient.Response {
    try await client.request("POST", url + "/actions", body, fields: fields)
  }

  var state: JSON? { get async throws { try await client.request("GET", url).json?["state"] } }

  var version: String {
    get async throws { try await client.request("GET", url)["ETag"]?.filter { $0 != "\"" } ?? "" }
  }

  static let login = #"[{"set":"/username","value":"maruko"},{"set":"/password","value":"123456"},{"do":"/login"}]"#

  @Test func `an action is enabled by what was set before it, and all are one revision and one patch`() async throws {
    let before = try await version
    let answer = try await send(Self.login)
    #expect(answer.status == 200)
    #expect(answer.json?["from"] == .string(before))
    #expect(answer.json?["results"] == [.null, .null, .null])
    #expect(answer.json?["result"] == nil)
    #expect(
      answer.json?["patch"] == [
        ["op": "replace", "path": "/username", "value": "maruko"], ["op": "remove", "path": "/password"],
        ["op": "replace", "path": "/enabled", "value": true],
        ["op": "replace", "path": "/greeting", "value": "Hello, maruko"],
      ])
    let after = try await version
    #expect(answer["ETag"] == "\"\(after)\"")
    #expect(before.split(separator: ".")[1] == "1" && after.split(separator: ".")[1] == "2")
  }

  @Test func `one action may stand without the array`() async throws {
    let answer = try await send(#"{"set":"/username","value":"a"}"#)
    #expect(answer.json?["results"] == [.null])
    #expect(answer.json?["patch"] == [["op": "replace", "path": "/username", "value": "a"]])
    let refused = try await send(#"{"do":"/nope"}"#)
    #expect(refused.json?["errors"]?[0]?["pointer"] == "/do")
  }

  @Test func `a bad action undoes those before it, and each bad one is named`() async throws {
    let before = try await client.request("GET", url).text
    let refused = try await send(
      #"""
      [{"set":"/username","value":"maruko"},{"do":"/signin"},{"set":"/nope","value":1},{"set":"/username","value":5},
       {"set":"/username","value":"x"},{"do":"/add","value":{}},{"cancel":"/login"}]
      """#)
    #expect((refused.status, refused.problem) == (422, "invalid-action"))
    #expect(
      refused.json?["errors"] == [
        [
          "pointer": "/1/do",
          "detail": "no action 'signin' on account; expected one of: add, addresses/…, fail, login, remove, save",
        ],
        [
          "pointer": "/2/set",
          "detail":
            "no value 'nope' on account; expected one of: username, password, enabled, greeting, padding, addresses/…, save/…",
        ],
        ["pointer": "/3/value", "detail": "expected string, got integer"],
        ["pointer": "/5/value", "detail": "expected string, got object"],
        ["pointer": "/6/cancel", "detail": "'login' is no command, and cannot be cancelled"],
      ], "\(refused.text)")
    #expect(refused.json?["detail"] == "5 of 7 actions are refused, so none was applied")
    #expect(try await client.request("GET", url).text == before)
  }

  @Test func `an action of another form is named beside those that are otherwise bad`() async throws {
    let before = try await client.request("GET", url).text
    let refused = try await send(
      #"""
      [{"do":"/nope"},7,{},{"set":"/username"},{"do":"/login","set":"/username"},{"do":"login"},{"do":"/login","if":1},
       {"cancel":"/save","value":1},{"set":"/username","value":"x"}]
      """#)
    #expect((refused.status, refused.problem) == (422, "invalid-action"))
    guard case .array(let errors)? = refused.json?["errors"] else { throw Opened.Missing() }
    #expect(errors.map { $0["pointer"] } == ["/0/do", "/1", "/2", "/3", "/4", "/5/do", "/6/if", "/7/value"])
    #expect(try await client.request("GET", url).text == before)
  }

  @Test func `a disabled or busy action is a conflict, at its place`() async throws {
    let disabled = try await send(#"[{"set":"/username","value":"maruko"},{"do":"/login"}]"#)
    #expect((disabled.status, disabled.problem) == (409, "action-disabled"))
    #expect(disabled.json?["errors"] == [["pointer": "/1/do", "detail": "'login' is disabled now by the view model"]])
    #expect(try await state?["username"] == "")
    let busy = try await send(#"[{"do":"/save","value":1},{"do":"/save","value":2}]"#)
    #expect((busy.status, busy.problem) == (409, "command-busy"))
    #expect(busy.json?["errors"]?[0]?["pointer"] == "/1/do")
    #expect(try await state?["save"]?["executing"] == false)
    let readOnly = try await send(#"[{"set":"/username","value":"x"},{"set":"/greeting","value":"x"}]"#)
    #expect((readOnly.status, readOnly.problem) == (403, "read-only"))
    let both = try await send(#"[{"do":"/login"},{"set":"/greeting","value":"x"}]"#)
    #expect((both.status, both.problem) == (422, "invalid-action"))
    #expect(both.json?["errors"]?[1]?["pointer"] == "/1/set")
  }

  @Test func `there are 64 at most, and one at least`() async throws {
    let one = #"{"set":"/username","value":"a"}"#
    let most = try await send("[\(Array(repeating: one, count: 64).joined(separator: ","))]")
    #expect(most.status == 200)
    for body in ["[\(Array(repeating: one, count: 65).joined(separator: ","))]", "[]", "7", "\"x\""] {
      #expect(try await send(body).problem == "invalid-action")
    }
    #expect(try await client.request("POST", url + "/actions").problem == "invalid-action")
    #expect(try await send("[{]").problem == "malformed-json")
    let others = try await client.request("GET", url + "/actions")
    #expect((others.status, others["Allow"]) == (405, "POST, OPTIONS"))
  }

  @Test func `the results are in order, of commands that are over`() async throws {
    let answer = try await send(
      #"[{"set":"/username","value":"abc"},{"do":"/save","value":0},{"set":"/username","value":"abcd"}]"#)
    // The command begins after all changes are made: it counts the letters of "abcd".
    #expect(answer.json?["results"] == [.null, 4, .null], "\(answer.text)")
  }

  @Test func `a command of one that is undone has not run`() async throws {
    let undone = try await send(#"[{"do":"/save","value":1},{"do":"/nope"}]"#)
    #expect(undone.problem == "invalid-action")
    #expect(try await state?["save"]?["executing"] == false)
    // If the undone command had run, it would wait at the gate and take this value.
    gate.open(with: 7)
    let saved = try await send(#"[{"do":"/save","value":1}]"#, fields: [("Prefer", "wait=50")])
    #expect(saved.json?["results"] == [7])
    #expect(saved["Preference-Applied"] == "wait=50")
  }

  @Test func `a command that is cancelled by one that is undone goes on`() async throws {
    #expect(try await client.request("POST", url + "/actions/save", "1").status == 200)
    #expect(try await send(#"[{"cancel":"/save"},{"do":"/nope"}]"#).problem == "invalid-action")
    #expect(try await state?["save"]?["executing"] == true)
    let cancelled = try await send(#"[{"cancel":"/save"},{"do":"/save","value":0}]"#)
    #expect(cancelled.json?["results"] == [.null, 0])
    #expect(try await state?["save"]?["executing"] == false)
  }
}
