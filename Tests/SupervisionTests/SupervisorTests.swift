// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// A supervisor and its servers, as processes.
@Suite(.timeLimit(.minutes(60))) struct `A supervised server` {
  @Test func `refuses no connection while it is started again ten times`() throws {
    let program = try TrappingProgram(wait: 0)
    // Each action kills for two clients: after five deaths it would be refused to all.
    let deadly = [("fatal", #""x""#), ("outOfRange", "7"), ("missing", nil), ("aborted", nil), ("shown", nil)]
    for (action, body) in deadly + deadly {
      let dying = try program.client()
      let url = try dying.open("trap")
      try dying.send("POST", "\(url)/actions/\(action)", body)
      // These connect before anybody can know that the server is dead, and while there is none. A refused
      // connection throws.
      let others = try (0..<5).map { _ in try program.client() }
      #expect(dying.isClosedByServer())
      #expect(try program.client().request("GET", "/healthz").status == 200)
      for other in others { other.leave() }
      #expect(try program.death().wait == 0)
    }
    program.terminate()
  }

  @Test(arguments: [nil, "doomed", "doomed-at-work"])
  func `waits longer before each start, where servers die of unknown causes or of a work that is refused already`(
    doom: String?
  ) throws {
    let program = try TrappingProgram(wait: 2)
    if let doom {
      try program.mark(doom)
      #expect(try program.die(of: "fatal", #""x""#).death.wait == 0)
    }
    // The first death at a known work costs no wait. The deaths count from then on.
    if doom == "doomed-at-work" { #expect(try program.death().wait == 0) }
    let deaths = try (0..<4).map { _ in try doom == nil ? program.die(of: "killed").death : program.death() }
    #expect(deaths.map(\.wait) == [0, 2, 4, 8])
  }

  @Test func `is started again without a report or the sessions of its memory, if it exits by itself`() throws {
    let program = try TrappingProgram()
    let (url, death) = try program.die(of: "left")
    #expect(death.status == 3)
    #expect(death.report == nil)
    #expect(try program.client().request("POST", "\(url)/actions/left").status == 404)
    program.terminate()
  }

  // MARK: Backtraces

  @Test func `that traps before any has served is reported with its backtrace`() throws {
    let program = try TrappingProgram(mark: "doomed")
    _ = program.end()
    let names = try FileManager.default.contentsOfDirectory(atPath: program.reports).filter { $0.hasPrefix("crash-") }
    let report = try String(contentsOfFile: "\(program.reports)/\(try #require(names.first))", encoding: .utf8)
    #expect(report.components(separatedBy: "The backtrace:").last?.contains("trapAtStart") == true, "\(report)")
  }

  @Test func `that traps where there is no backtracer is reported without a backtrace, and with its work`() throws {
    let program = try TrappingProgram(backtracer: "#!/bin/sh\nexit 1\n")
    let (url, death) = try program.die(of: "fatal", #""x""#)
    #expect(death.work == "perform \(url)/fatal")
    let report = try death.text()
    #expect(report.contains("(none: the toolchain's swift-backtrace was not found or failed"), "\(report)")
    #expect(report.contains("Fatal error: told to trap\n"))
  }

  @Test func `with a backtrace that has no end is killed, and started again`() throws {
    let program = try TrappingProgram(backtracer: "#!/bin/sh\nexec sleep 3600\n", longestBacktrace: 1)
    let (_, death) = try program.die(of: "fatal", #""x""#)
    #expect(death.status == 128 + Int(SIGKILL))
    #expect(try program.client().request("GET", "/healthz").status == 200)
  }

  @Test(arguments: [nil, #"{"auth":"bearer"}"#])
  func `that traps is reported without a word of its user, a client's key or a secret`(options: String?) throws {
    let canary = "canary-8f31b2"
    let program = try TrappingProgram()
    let client = try program.client()
    let opened = try client.request("POST", "/sessions/known", options)
    let url = try #require(opened["Location"])
    func fields(_ answer: TestClient.Response) -> (key: String, fields: [(String, String)]) {
      if case .string(let token)? = answer.json?["token"] { return (token, [("Authorization", "Bearer \(token)")]) }
      return (String(client.cookie?.drop { $0 != "=" }.dropFirst() ?? ""), [])
    }
    let (first, old) = fields(opened)
    let secret = try client.request("PUT", "\(url)/state/password", "\"\(canary)-secret\"", fields: old)
    #expect(secret.status == 200)
    let entered = try client.request("POST", "\(url)/actions/enter", "\"\(canary)\"", fields: old)
    let (second, new) = fields(entered)
    #expect(entered.status == 200 && !first.isEmpty && !second.isEmpty && first != second)
    let death = try program.die(client, "\(url)/actions/fall", "\"\(canary)-value\"", fields: new)
    #expect(death.work == "perform \(url)/fall")
    let report = try death.text()
    #expect(report.contains("trapAsSomebody") && report.contains("told to trap, as somebody"), "\(report)")
    for word in [canary, first, second] { #expect(!report.contains(word), "\(report)") }
  }

  // MARK: Ending

  @Test func `ends with status 0 also if both get the signal, and at once if the supervisor gets another one`() throws {
    let both = try TrappingProgram()
    kill(both.server, SIGTERM)
    both.terminate()
    let impatient = try TrappingProgram(drainTime: 3_600)
    kill(impatient.process.processIdentifier, SIGTERM)
    try impatient.errorLine(" info draining ")
    kill(impatient.process.processIdentifier, SIGINT)
    #expect(impatient.end().status == 128 + SIGINT)
  }

  @Test func `that is told to end by another process ends its supervisor with status 0`() throws {
    let program = try TrappingProgram()
    kill(program.server, SIGTERM)
    #expect(program.end().status == 0)
  }

  @Test func `dies when its supervisor is killed`() throws {
    let program = try TrappingProgram()
    let client = try program.client()
    _ = try client.open("trap")
    kill(program.process.processIdentifier, SIGKILL)
    // Only the server's death closes its end of the connection, and its end of the standard error.
    #expect(client.isClosedByServer())
    _ = program.end()
  }
}
