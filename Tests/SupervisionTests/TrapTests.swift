// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// Works by which supervised servers die, and the sessions in their store.
@Suite(.timeLimit(.minutes(60))) struct `A work that ends its server` {
  private let program: TrappingProgram
  private let owner: TestClient
  private let url: String

  init() throws {
    program = try TrappingProgram(wait: 2, isStoring: true)
    owner = try program.client()
    url = try owner.open("trap")
  }

  private func perform(_ action: String, _ body: String? = nil, key: String? = nil) throws -> TestClient.Response {
    try program.client(as: owner).request(
      "POST", "\(url)/actions/\(action)", body, fields: key.map { [("Idempotency-Key", $0)] } ?? [])
  }

  private func die(of action: String, _ body: String? = nil, key: String? = nil) throws -> TrappingProgram.Death {
    try program.die(
      program.client(as: owner), "\(url)/actions/\(action)", body, fields: key.map { [("Idempotency-Key", $0)] } ?? [])
  }

  private func count() throws -> JSON? {
    try program.client(as: owner).request("GET", url).json?["state"]?["count"]
  }

  @Test(arguments: [
    ("fatal", #""canary-8f31b2""#, SIGILL, "trapByMessage"), ("outOfRange", "7", SIGILL, "closure #4"),
    ("missing", nil, SIGILL, "closure #5"), ("endless", nil, SIGSEGV, "deepen"),
    // The C library's own calls hide those that led to them.
    ("aborted", nil, SIGABRT, "__pthread_kill"),
    ("shown", nil, SIGILL, "trapWhileComputing"), ("step", nil, SIGILL, "trapInAStep"),
  ])
  func `is reported with its place and without its value, and refused, while its session lives on`(
    action: String, body: String?, signal: Int32, function: String
  ) throws {
    #expect(try perform("increment").status == 200)
    #expect(try perform("increment").status == 200)
    let death = try die(of: action, body)
    // A trap is another signal on other processors.
    #expect((signal == SIGILL ? [SIGILL, SIGTRAP] : [signal]).map { Int($0) + 128 }.contains(death.status))
    #expect(death.process == program.server)
    #expect(death.wait == 0)
    #expect(death.work == "perform \(url)/\(action)")
    let report = try death.text()
    let calls = report.components(separatedBy: "The backtrace:").last ?? ""
    #expect(calls.contains(function), "\(report)")
    if signal != SIGABRT { #expect(calls.contains("TrapViewModel"), "\(report)") }
    #expect(report.contains("At work, by its thread:\n  perform \(url)/\(action)\n"))
    #expect(!report.contains("canary-8f31b2"))
    if action == "fatal" { #expect(report.contains("Fatal error: told to trap\n")) }

    #expect(try count() == 2)
    for _ in 0..<3 { #expect(try perform(action, body).isPoisoned) }
    #expect(
      try perform(action, body).json?["detail"] == """
        the server went down over this before, so it was not done, and nothing was changed; it may be tried again in an hour, \
        or when the server's operator allows it
        """)
    #expect(try perform("increment").status == 200)
    #expect(try count() == 3)
    program.terminate()
  }

  @Test func `is not walked around by another spelling or by company, and its client rests after three`() throws {
    let harmless = #"{"set":"/note","value":"x"}"#
    let spellings = [
      ("actions/fatal", #""x""#), ("actions/%66atal", #""x""#), ("actions/fatal", #" "\u0078" "#),
      ("actions", #"{"do":"/fatal","value":"x"}"#), ("actions", #"[\#(harmless),{"do":"/fatal","value":"x"}]"#),
      ("actions", #"[{"do":"/fatal","value":"x"},\#(harmless)]"#),
    ]
    #expect(try die(of: "fatal", #""x""#).wait == 0)
    for (path, body) in spellings {
      #expect(try program.client(as: owner).request("POST", "\(url)/\(path)", body).isPoisoned)
    }
    // Another value is tried, also among other changes.
    let dying = try program.client(as: owner)
    let second = try program.die(dying, "\(url)/actions", #"[\#(harmless),{"do":"/fatal","value":"y"}]"#)
    #expect(second.work == "perform \(url)/fatal" && second.wait == 0)
    #expect(try perform("increment").status == 200)
    #expect(try perform("outOfRange", "1").status == 200)
    // After its third trap the client takes no action any more, and opens no other session.
    #expect(try die(of: "outOfRange", "7").wait == 0)
    let other = try program.client()
    let otherURL = try other.open("trap")
    for action in ["increment", "missing"] { #expect(try perform(action).isPoisoned) }
    #expect(try count() == 2)
    #expect(try program.client(as: owner).request("POST", "/sessions/trap").isPoisoned)
    // The connection of before still works, so the server is the same.
    #expect(try other.request("POST", "\(otherURL)/actions/increment").status == 200)
    #expect(try other.request("POST", "/sessions/trap").status == 201)
  }

  @Test func `leaves the numbered keys after its own to be used, and its own is answered again as it was`() throws {
    #expect(try perform("increment", key: "p/1").status == 200)
    _ = try die(of: "fatal", #""x""#, key: "p/2")
    #expect(try perform("increment", key: "p/1").status == 200)
    for _ in 0..<2 { #expect(try perform("fatal", #""x""#, key: "p/2").isPoisoned) }
    #expect(try perform("increment", key: "p/3").status == 200)
    #expect(try count() == 2)
  }

  @Test(arguments: [("killed", 128 + Int(SIGKILL)), ("left", 3), ("finished", 0)])
  func `is done by four new clients, refused to all after the fifth, and done again when it is pardoned`(
    action: String, status: Int
  ) throws {
    for number in 1...5 {
      let (url, death) = try program.die(of: action)
      #expect(death.status == status && death.work == nil)
      if action == "killed" {
        let report = try death.text()
        #expect(report.contains("SIGKILL") && report.contains("At work, by others:\n  perform \(url)/killed"))
      }
      if number == 5 { #expect(program.line() == "refused perform \(url)/\(action) 3600") }
    }
    #expect(try perform(action).isPoisoned)
    #expect(try perform("increment").status == 200)
    #expect(try program.client().request("GET", "/pardon").status == 204)
    // The supervisor has forgotten the deaths too, so the next server does not refuse it.
    for _ in 0..<2 { #expect(try die(of: action).status == status) }
    #expect(try perform("increment").status == 200)
  }

  @Test func `is none that was at work as the server was killed from outside, twice`() throws {
    for _ in 1...2 {
      try program.hold(program.client(as: owner), url)
      kill(try program.present(), SIGKILL)
      #expect(try program.death().status == 128 + Int(SIGKILL))
    }
    #expect(try perform("held", "false").status == 200)
    #expect(try count() == 1)
  }

  @Test func `is the opening of a session, which is refused while others open and act`() throws {
    #expect(try program.die(program.client(), "/sessions/stillborn").work == "open /sessions/stillborn")
    for _ in 0..<3 { #expect(try program.client().request("POST", "/sessions/stillborn").isPoisoned) }
    #expect(try program.client().request("GET", "/problems/poisoned").status == 200)
    _ = try program.client().open("trap")
    #expect(try perform("increment").status == 200)
  }

  @Test func `is the restoring of a session, which is refused while others live`() throws {
    let other = try program.client()
    let otherURL = try other.open("trap")
    #expect(try perform("spoil").status == 200)
    kill(program.server, SIGKILL)
    _ = try program.death()
    #expect(try program.die(program.client(as: owner), url, method: "GET").work == "restore \(url)")
    for _ in 0..<3 { #expect(try program.client(as: owner).request("GET", url).isPoisoned) }
    #expect(try program.client(as: other).request("POST", "\(otherURL)/actions/increment").status == 200)
  }

  @Test(arguments: [
    ("action", "trapByMessage"), ("deadly", "trapInARoute"), ("deadly-later", "trapInARoute"),
    ("authenticates", "trapInAuthenticate"),
  ])
  func `is refused to all for an hour after the fifth client's, and it alone`(kind: String, function: String) throws {
    let program = kind == "authenticates" ? try TrappingProgram(wait: 2, isStoring: true, mark: kind) : program
    /// A request of a new client, as one that has dropped its cookie.
    func request(_ number: Int) throws -> (
      client: TestClient, method: String, target: String, body: String?, fields: [(String, String)], work: String
    ) {
      let client = try program.client()
      switch kind {
      case "action":
        let url = try client.open("trap")
        return (client, "POST", "\(url)/actions/fatal", "\"value-\(number)\"", [], "perform \(url)/fatal")
      case "authenticates":
        let fields = [("Authorization", "Bearer value-\(number)")]
        return (client, "POST", "/sessions/trap", nil, fields, "find out a user")
      default: return (client, "GET", "/\(kind)/value-\(number)", nil, [], "answer GET /\(kind)/{name}")
      }
    }
    for number in 1...5 {
      let deadly = try request(number)
      let death = try program.die(
        deadly.client, deadly.target, deadly.body, method: deadly.method, fields: deadly.fields)
      #expect(death.work == deadly.work && death.wait == 0)
      let report = try death.text()
      #expect(report.contains(function) && !report.contains("value-"), "\(report)")
      if number == 5 { #expect(program.line() == "refused \(deadly.work) 3600") }
    }
    let other = try program.client()
    #expect(try other.request("GET", "/harmless").status == 204)
    for number in 5...7 {
      let deadly = try request(number)
      #expect(try deadly.client.request(deadly.method, deadly.target, deadly.body, fields: deadly.fields).isPoisoned)
    }
    // The connection of before still works, so the server is the same.
    let otherURL = try other.open("trap")
    if kind == "action" { #expect(try other.request("POST", "\(otherURL)/actions/increment").status == 200) }
  }
}
