// SPDX-License-Identifier: MIT
import Demos
import Euripus
import EuripusTesting
import JSONPatching
import Recording
import Testing

/// A secret appears in no state, patch, log or error, whatever a client does with it (PROTOCOL §2).
///
/// Here the tests look for the secret as it is, and for pieces of it. With a recording, the referee looks for
/// it once more, in every form.
@Suite(.timeLimit(.minutes(30))) struct `A password that is typed` {
  struct Typed {
    var method = "PUT"
    let path: String
    let body: String
    var fields: [(String, String)] = []
  }

  @Test(arguments: ["login", "signup", "page"])
  func `comes back in no response and no log line, however it is sent`(demo: String) throws {
    let canary = Canary.value
    let server = try TestServer([
      .hosting { LoginViewModel() }, .hosting { SignUpViewModel() }, .hosting { PageViewModel() },
    ])
    let client = try server.client()
    let url = try client.open(demo)
    if demo == "signup" { try client.request("PUT", url + "/state/username/value", #""maruko""#) }
    let state = try #require(try client.request("GET", url).json?["state"])
    let path = try #require(Self.path(of: "password", in: state))

    var came: [String] = []
    for typed in Self.ways(canary, path) {
      let response = try client.request(typed.method, url + typed.path, typed.body, fields: typed.fields)
      came.append(Self.text(response))
    }
    #expect(try client.request("PUT", "\(url)/state/\(path)", "\"\(canary)\"").status == 200)
    for target in ["", "/state/\(path)", "/changes"] { came.append(Self.text(try client.request("GET", url + target))) }
    for target in ["/metrics", "/openapi.json", "/models"] {
      came.append(Self.text(try client.request("GET", target)))
    }
    came += [Self.text(try client.request("POST", "/sessions/\(demo)", #"{"auth":"\#(canary)"}"#))]
    came += [Self.text(try client.request("POST", "/sessions/\(demo)", #"{"params":{"password":"\#(canary)"}}"#))]

    for text in came + server.log { #expect(!Self.has(canary, text), "\(text)") }
    // A control: a text that is no secret does come back, and the same search finds it.
    let name = try client.request("POST", "\(url)/actions/none-zqxjkvbw", "1")
    #expect(Self.has("zqxjkvbw", Self.text(name)))
  }

  /// Requests with the secret, well formed and not, to the right place and to others, with the right type and
  /// with others.
  private static func ways(_ canary: String, _ path: String) -> [Typed] {
    let (state, text) = ("/state/\(path)", "\"\(canary)\"")
    let bodies = [
      text, "\"\(canary)\\q\"", "\"\(canary)", canary, "'\(canary)'", "[\(text)]", "{\(text):1}",
      "{\(text):1,\(text):2}",
      "\(text) \(text)", "\"\(canary)\u{1}\"", "\"" + String(repeating: canary, count: 5_000),
    ]
    let fields = [("Content-Type", "text/plain"), ("If-Match", "\"k7q2mzx4.1\""), ("Idempotency-Key", "tab/7")]
    let paths = ["\(state)?since=k7q2mzx4.1", "\(state)?since=x", "\(state)/deeper", "/state/nowhere"]
    let batches = [
      #"{"set":"/\#(path)","value":\#(text)}"#, #"[{\#(text):"/\#(path)"}]"#,
      #"[{"set":"/\#(path)","value":\#(text)},{"do":"/nothing","value":\#(text)},{"set":"/\#(path)","value":[\#(text)]}]"#,
    ]
    // The same key again, with the same body and with another one.
    let again = [text, text, "\"x\(canary)\""].map { Typed(path: state, body: $0, fields: [("Idempotency-Key", "a")]) }
    return bodies.map { Typed(path: state, body: $0) } + again
      + fields.map { Typed(path: state, body: text, fields: [$0]) } + paths.map { Typed(path: $0, body: text) }
      + batches.map { Typed(method: "POST", path: "/actions", body: $0) }
      + [text, "[\(text)]"].map { Typed(method: "POST", path: "/actions/passwordDidChange", body: $0) }
      + [Typed(method: "POST", path: "/actions/\(path)", body: text)]
      + ["PATCH", "DELETE"].map { Typed(method: $0, path: state, body: text) }
  }

  private static func text(_ response: TestClient.Response) -> String {
    "\(response.status) " + response.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n") + response.text
  }

  /// Whether a text has eight characters of the canary in a row.
  private static func has(_ canary: String, _ text: String) -> Bool {
    let characters = Array(canary)
    return (0...(characters.count - 8)).contains { text.contains(String(characters[$0..<($0 + 8)])) }
  }

  /// The path of the first member of that name, at any depth.
  private static func path(of name: String, in value: JSON) -> String? {
    guard case .object(let members) = value else { return nil }
    if let member = members.first(where: { $0.name == name }) {
      // In a form's field the member `value` has the text.
      return member.value["touched"] == nil ? name : "\(name)/value"
    }
    for member in members {
      if let rest = path(of: name, in: member.value) { return "\(member.name)/\(rest)" }
    }
    return nil
  }
}
