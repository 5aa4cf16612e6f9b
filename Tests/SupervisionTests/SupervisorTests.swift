// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// A supervisor and its servers, as processes.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `A supervised server` {
  /// A value that no report may have.
  private static let canary = "canary-8f31b2"

  @Test(arguments: [
    ("fatal", #""canary-8f31b2""#, SIGILL, "trapByMessage"), ("outOfRange", "7", SIGILL, "closure #4"),
    ("missing", nil, SIGILL, "closure #5"), ("endless", nil, SIGSEGV, "deepen"),
    // The C library's own calls hide those that led to them.
    ("aborted", nil, SIGABRT, "__pthread_kill"),
    ("shown", nil, SIGILL, "trapWhileComputing"),
  ])
  func `that traps is started again, and a report says where and what it was at, and no value`(
    action: String, body: String?, signal: Int32, function: String
  ) throws {
    let program = try TrappingProgram()
    // A trap is another signal on other processors.
    let signals = signal == SIGILL ? [SIGILL, SIGTRAP] : [signal]
    let (url, death) = try program.die(of: action, body)
    #expect(signals.map { Int($0) + 128 }.contains(death.status))
    #expect(death.process == program.server)
    #expect(death.wait == 0)
    #expect(death.work == "perform \(url)/\(action)")
    #expect(try program.client().request("GET", "/healthz").status == 200)
    let path = try #require(death.report)
    #expect(path.hasPrefix("\(program.reports)/crash-"))
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let report = try String(contentsOfFile: path, encoding: .utf8)
    let calls = report.components(separatedBy: "The backtrace:").last ?? ""
    #expect(calls.contains(function), "\(report)")
    if signal != SIGABRT { #expect(calls.contains("TrapViewModel"), "\(report)") }
    #expect(report.contains("At work, by its thread:\n  perform \(url)/\(action)\n"))
    #expect(!report.contains(Self.canary))
    if action == "fatal" { #expect(report.contains("Fatal error: told to trap\n")) }
  }

  @Test func `that traps in a step of a command is reported with the step, and held against what asked for it`() throws
  {
    let program = try TrappingProgram()
    let client = try program.client()
    let url = try client.open("trap")
    try client.send("POST", "\(url)/actions/step")
    let death = try program.death()
    #expect(death.work == "perform \(url)/step")
    let report = try String(contentsOfFile: try #require(death.report), encoding: .utf8)
    #expect(report.contains("trapInAStep"), "\(report)")
    #expect(report.contains("trapped in a step"))
  }

  @Test func `is not had by the same request again, which gets 500 poisoned, while others are done`() throws {
    let program = try TrappingProgram()
    let client = try program.client()
    try client.send("POST", "/sessions/stillborn")
    #expect(client.isClosedByServer())
    #expect(try program.death().work == "open /sessions/stillborn")
    let again = try program.client()
    for _ in 0..<3 {
      let refused = try again.request("POST", "/sessions/stillborn")
      #expect(refused.status == 500)
      #expect(refused.json?["type"] == "/problems/poisoned")
    }
    // Other view models open sessions and act as usual.
    let url = try again.open("trap")
    #expect(try again.request("POST", "\(url)/actions/increment").status == 200)
    #expect(try again.request("GET", "/problems/poisoned").status == 200)
    program.process.terminate()
    #expect(program.end().status == 0)
  }

  @Test func `never refuses a connection while it is started again ten times, and answers 200 ms later`() throws {
    let program = try TrappingProgram(wait: 0)
    let clock = ContinuousClock()
    var times: [Duration] = []
    // Each action kills for two clients: after a third one it would be refused everywhere.
    let deadly = [("fatal", #""x""#), ("outOfRange", "7"), ("missing", nil), ("aborted", nil), ("shown", nil)]
    for (action, body) in deadly + deadly {
      let dying = try program.client()
      let url = try dying.open("trap")
      let begin = clock.now
      try dying.send("POST", "\(url)/actions/\(action)", body)
      // These connect before anybody can know that the server is dead, and while there is none. A refused
      // connection throws.
      let others = try (0..<5).map { _ in try program.client() }
      #expect(dying.isClosedByServer())
      let next = try program.client()
      #expect(try next.request("GET", "/healthz").status == 200)
      times.append(clock.now - begin)
      for other in others { other.leave() }
      #expect(try program.death().wait == 0)
    }
    let median = times.sorted()[times.count / 2]
    print("From a trap to the next answer: median \(median), longest \(times.max() ?? .zero)")
    // Other work of the machine may delay some answers, so only the quickest one has a limit.
    #expect(try #require(times.min()) <= .milliseconds(200))
    program.process.terminate()
    #expect(program.end().status == 0)
  }

  @Test func `that is killed is started again, and what was at work is refused when it was so twice`() throws {
    let program = try TrappingProgram(wait: 0)
    let (url, first) = try program.die(of: "killed")
    #expect(first.status == 128 + Int(SIGKILL))
    #expect(first.work == nil)
    let report = try String(contentsOfFile: try #require(first.report), encoding: .utf8)
    #expect(report.contains("SIGKILL") && report.contains("At work, by others:\n  perform \(url)/killed"))
    // Nobody knows that the action was to blame. With a store it would be done again. Here its session is gone.
    let client = try program.client()
    #expect(try client.request("POST", "\(url)/actions/killed").status == 404)
    program.process.terminate()
    #expect(program.end().status == 0)
  }

  @Test func `that traps where there is no backtracer is reported without a backtrace, and with its work`() throws {
    let program = try TrappingProgram(backtracer: "#!/bin/sh\nexit 1\n")
    let (url, death) = try program.die(of: "fatal", #""x""#)
    #expect(death.work == "perform \(url)/fatal")
    let report = try String(contentsOfFile: try #require(death.report), encoding: .utf8)
    #expect(report.contains("(none: the toolchain's swift-backtrace was not found or failed"), "\(report)")
    #expect(report.contains("Fatal error: told to trap\n"))
  }

  @Test func `whose backtrace has no end is ended, and started again`() throws {
    let program = try TrappingProgram(backtracer: "#!/bin/sh\nexec sleep 600\n", longestBacktrace: 1)
    let (_, death) = try program.die(of: "fatal", #""x""#)
    #expect(death.status == 128 + Int(SIGKILL))
    #expect(try program.client().request("GET", "/healthz").status == 200)
  }

  @Test func `that leaves by itself is started again without a report`() throws {
    let program = try TrappingProgram()
    let (_, death) = try program.die(of: "left")
    #expect(death.status == 3)
    #expect(death.report == nil)
    #expect(try program.client().request("GET", "/healthz").status == 200)
  }

  @Test func `waits longer before each start, if it dies again and again of nobody knows what`() throws {
    let program = try TrappingProgram(wait: 40)
    let waits = try (0..<4).map { _ in try program.die(of: "killed").death.wait }
    #expect(waits[0] == 0)
    // The line has the rest of the wait at the moment of its writing.
    for (wait, most) in zip(waits.dropFirst(), [40, 80, 160]) { #expect((0...most).contains(try #require(wait))) }
  }

  @Test func `waits for none of three traps of one client, and for none that others notice after the third`() throws {
    let program = try TrappingProgram(wait: 60_000, isStoring: true)
    let opener = try program.client()
    let url = try opener.open("trap")
    func client() throws -> TestClient {
      let client = try program.client()
      client.cookie = opener.cookie
      return client
    }
    let deadly = [("fatal", #""x""#), ("outOfRange", "7"), ("missing", nil)]
    for (action, body) in deadly {
      let dying = try client()
      try dying.send("POST", "\(url)/actions/\(action)", body)
      #expect(dying.isClosedByServer())
      #expect(try program.death().wait == 0)
    }
    let other = try program.client()
    _ = try other.open("trap")
    for (action, body) in deadly + [("aborted", nil), ("increment", nil)] {
      let refused = try client().request("POST", "\(url)/actions/\(action)", body)
      #expect(refused.json?["type"] == "/problems/poisoned")
    }
    // The connection of before still works, so the server is the same.
    #expect(try other.request("GET", "/healthz").status == 200)
  }

  @Test func `dies no more of an action after the third client's, however new the next client and its session are`()
    throws
  {
    let program = try TrappingProgram(wait: 60_000, isStoring: true)
    // Each client is a new one, as one that has dropped its cookie.
    for value in 1...3 {
      let (url, death) = try program.die(of: "fatal", "\"\(value)\"")
      #expect(death.work == "perform \(url)/fatal")
      #expect(death.wait == 0)
      if value == 3 { #expect(program.line() == "refused perform \(url)/fatal 3600") }
    }
    let other = try program.client()
    let otherURL = try other.open("trap")
    for value in 4...8 {
      let client = try program.client()
      let url = try client.open("trap")
      let refused = try client.request("POST", "\(url)/actions/fatal", "\"\(value)\"")
      #expect(refused.status == 500)
      #expect(refused.json?["type"] == "/problems/poisoned")
      // Other actions are done, in this session too.
      #expect(try client.request("POST", "\(url)/actions/increment").status == 200)
    }
    // The connection of before still works, so the server is the same.
    #expect(try other.request("POST", "\(otherURL)/actions/increment").status == 200)
  }

  @Test(arguments: ["deadly", "deadly-later"])
  func `that traps in a route is not asked there after the third time, and serves all others`(route: String) throws {
    let program = try TrappingProgram(wait: 60_000)
    for name in ["a", "b", "c"] {
      let client = try program.client()
      try client.send("GET", "/\(route)/\(name)")
      #expect(client.isClosedByServer())
      let death = try program.death()
      #expect(death.work == "answer GET /\(route)/{name}")
      #expect(death.wait == 0)
      let report = try String(contentsOfFile: try #require(death.report), encoding: .utf8)
      #expect(report.contains("trapInARoute"), "\(report)")
      if name == "c" { #expect(program.line() == "refused answer GET /\(route)/{name} 3600") }
    }
    let client = try program.client()
    for name in ["a", "d"] {
      let refused = try client.request("GET", "/\(route)/\(name)")
      #expect(refused.status == 500)
      #expect(refused.json?["type"] == "/problems/poisoned")
    }
    #expect(try client.request("GET", "/harmless").status == 204)
    #expect(try client.request("GET", "/healthz").status == 200)
  }

  @Test func `that traps in finding out users is not asked for them after the third time, and serves all others`()
    throws
  {
    let program = try TrappingProgram(wait: 60_000, authenticates: true)
    for count in 1...3 {
      let client = try program.client()
      try client.send("POST", "/sessions/trap", fields: [("Authorization", "Bearer token-\(count)")])
      #expect(client.isClosedByServer())
      let death = try program.death()
      #expect(death.work == "find out a user" && death.wait == 0)
      let report = try String(contentsOfFile: try #require(death.report), encoding: .utf8)
      #expect(report.contains("trapInAuthenticate") && !report.contains("token-"), "\(report)")
      if count == 3 { #expect(program.line() == "refused find out a user 3600") }
    }
    let client = try program.client()
    let refused = try client.request("POST", "/sessions/trap", fields: [("Authorization", "Bearer token-4")])
    #expect(refused.status == 500)
    #expect(refused.json?["type"] == "/problems/poisoned")
    #expect(try client.request("POST", "/sessions/trap").status == 201)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `ends with its supervisor when that gets a signal, with status 0`(signal: Int32) throws {
    let program = try TrappingProgram()
    let client = try program.client()
    _ = try client.open("trap")
    kill(program.process.processIdentifier, signal)
    let (status, errors) = program.end()
    #expect(status == 0)
    #expect(errors.contains(" info draining ") && errors.contains(" info stopped"), "\(errors)")
    #expect(client.isClosedByServer())
  }

  @Test func `ends with status 0 also if both get the signal, and at once if the supervisor gets another one`() throws {
    let both = try TrappingProgram()
    kill(both.server, SIGTERM)
    kill(both.process.processIdentifier, SIGTERM)
    #expect(both.end().status == 0)
    let impatient = try TrappingProgram(drainTime: 600)
    kill(impatient.process.processIdentifier, SIGTERM)
    _ = try impatient.errorLine(" info draining ")
    kill(impatient.process.processIdentifier, SIGINT)
    #expect(impatient.end().status == 128 + SIGINT)
  }

  @Test func `that is told to end by somebody else ends its supervisor with status 0`() throws {
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
    // A client that still connects at the last moment is not served: its connection closes with the socket.
    if let late = try? program.client() { #expect(late.isClosedByServer()) }
  }

  @Test func `keeps twenty reports`() throws {
    let program = try TrappingProgram(wait: 0)
    var paths: [String] = []
    for _ in 0..<23 { paths.append(try #require(try program.die(of: "killed").death.report)) }
    let kept = try FileManager.default.contentsOfDirectory(atPath: program.reports)
    #expect(kept.sorted().map { "\(program.reports)/\($0)" } == paths.suffix(20))
  }
}
