// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// A supervisor whose servers keep their sessions in a store.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `A session whose server dies` {
  private let program: TrappingProgram
  private let cookie: String?
  private let url: String

  init() throws {
    program = try TrappingProgram(wait: 0, isStoring: true)
    let client = try program.client()
    url = try client.open("trap")
    cookie = client.cookie
  }

  /// A connection of the same client to the present server.
  private func client() throws -> TestClient {
    let client = try program.client()
    client.cookie = cookie
    return client
  }

  private func perform(_ action: String, _ body: String? = nil, key: String? = nil) throws -> TestClient.Response {
    try client().request("POST", "\(url)/actions/\(action)", body, fields: key.map { [("Idempotency-Key", $0)] } ?? [])
  }

  /// Has an action end the server, and waits until the supervisor tells so.
  private func die(of action: String, _ body: String? = nil, key: String? = nil) throws -> TrappingProgram.Death {
    let client = try client()
    try client.send(
      "POST", "\(url)/actions/\(action)", body, fields: key.map { [("Idempotency-Key", $0)] } ?? [])
    // A command may be answered before its step.
    if action != "step" { #expect(client.isClosedByServer()) }
    return try program.death()
  }

  private func count() throws -> JSON? { try client().request("GET", url).json?["state"]?["count"] }

  private func isPoisoned(_ response: TestClient.Response) -> Bool {
    response.status == 500 && response.json?["type"] == "/problems/poisoned"
  }

  @Test(arguments: ["fatal", "outOfRange", "missing", "endless", "aborted", "shown", "step"])
  func `lives on with all that was acknowledged, and refuses what killed the server, and nothing else`(
    action: String
  ) throws {
    let body = ["fatal": #""x""#, "outOfRange": "7"][action]
    #expect(try perform("increment").status == 200)
    #expect(try perform("increment").status == 200)
    #expect(try die(of: action, body).work == "perform \(url)/\(action)")
    #expect(try count() == 2)
    for _ in 0..<3 { #expect(isPoisoned(try perform(action, body))) }
    #expect(try perform("increment").status == 200)
    #expect(try count() == 3)
    // Another spelling is the same work, and another value is another work.
    if action == "fatal" {
      #expect(isPoisoned(try client().request("POST", "\(url)/actions/%66atal", #" "\u0078" "#)))
      #expect(isPoisoned(try client().request("POST", "\(url)/actions", #"{"do":"/fatal","value":"x"}"#)))
    }
    if action == "outOfRange" {
      #expect(try perform(action, "1").status == 200)
      #expect(try count() == 2)
    }
    program.process.terminate()
    #expect(program.end().status == 0)
  }

  @Test func `is not walked around by another spelling, by company or by another value, and its client rests`() throws {
    let harmless = #"{"set":"/note","value":"x"}"#
    let spellings = [
      ("actions/fatal", #""x""#), ("actions/%66atal", #""x""#), ("actions/fatal", #" "\u0078" "#),
      ("actions", #"{"do":"/fatal","value":"x"}"#), ("actions", #"[\#(harmless),{"do":"/fatal","value":"x"}]"#),
      ("actions", #"[{"do":"/fatal","value":"x"},\#(harmless)]"#),
    ]
    _ = try die(of: "fatal", #""x""#)
    for (path, body) in spellings { #expect(isPoisoned(try client().request("POST", "\(url)/\(path)", body))) }
    // Another value is tried once more, also among other changes. Then the action is refused with any value.
    let dying = try client()
    try dying.send("POST", "\(url)/actions", #"[\#(harmless),{"do":"/fatal","value":"y"}]"#)
    #expect(dying.isClosedByServer())
    #expect(try program.death().work == "perform \(url)/fatal")
    #expect(isPoisoned(try perform("fatal", #""z""#)))
    #expect(try perform("increment").status == 200)
    // After the third trap, the session takes no action any more, and its client may open no other session.
    let other = try program.client()
    let otherURL = try other.open("trap")
    _ = try die(of: "missing")
    #expect(isPoisoned(try perform("increment")))
    #expect(try count() == 1)
    #expect(isPoisoned(try client().request("POST", "/sessions/trap")))
    let again = try program.client()
    again.cookie = other.cookie
    #expect(try again.request("POST", "\(otherURL)/actions/increment").status == 200)
    #expect(try again.request("POST", "/sessions/trap").status == 201)
  }

  @Test func `goes on with its numbered keys after the one that killed the server, and answers that again as it did`()
    throws
  {
    #expect(try perform("increment", key: "p/1").status == 200)
    _ = try die(of: "fatal", #""x""#, key: "p/2")
    #expect(try perform("increment", key: "p/1").status == 200)
    let refused = try perform("fatal", #""x""#, key: "p/2")
    #expect(isPoisoned(refused))
    #expect(isPoisoned(try perform("fatal", #""x""#, key: "p/2")))
    #expect(try perform("increment", key: "p/3").status == 200)
    #expect(try count() == 2)
  }

  @Test func `does again what was at work when the server was killed from outside, and not after a second time`() throws
  {
    #expect(try die(of: "killed").work == nil)
    #expect(try die(of: "killed").work == nil)
    #expect(isPoisoned(try perform("killed")))
    #expect(try perform("increment").status == 200)
  }

  @Test func `is refused if it cannot be made again, while others live`() throws {
    let other = try program.client()
    let otherURL = try other.open("trap")
    #expect(try perform("spoil").status == 200)
    kill(program.server, SIGKILL)
    _ = try program.death()
    let reader = try client()
    try reader.send("GET", url)
    #expect(reader.isClosedByServer())
    #expect(try program.death().work?.hasSuffix(url) == true)
    for _ in 0..<3 { #expect(isPoisoned(try client().request("GET", url))) }
    let again = try program.client()
    again.cookie = other.cookie
    #expect(try again.request("POST", "\(otherURL)/actions/increment").status == 200)
  }
}
