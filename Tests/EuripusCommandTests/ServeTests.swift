// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// The program as a process: its output, and its ends.
@Suite(.serialized, .timeLimit(.minutes(30))) struct `euripus serve` {
  @Test func `a server that dies leaves no memory in a file, unless that is asked for`() throws {
    /// The soft and the hard limit of core dumps of a process.
    func limits(of process: String) throws -> [Substring] {
      let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
      let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
      return Array(core.split(separator: " ")[4...5])
    }
    for (option, expected) in [([], ["0", "0"]), (["--core-dumps"], try limits(of: "self"))] {
      let program = try Program.serve(option)
      _ = program.line()
      #expect(try limits(of: "\(program.pid)") == expected)
      program.stop()
    }
  }

  @Test func `prints its URL once it can be opened, and a signal ends it with status 0`() throws {
    for signal in [SIGTERM, SIGINT] {
      let program = try Program.serve()
      let line = program.line()
      #expect(line.hasPrefix("Euripus is serving 11 view models on http://127.0.0.1:"))
      #expect(try TestClient(port: Program.port(line)).request("GET", "/login.html").status == 200)
      kill(program.pid, signal)
      let ended = program.end()
      #expect(ended.status == 0)
      let said = ended.errors.matches(of: #/\S+Z info (draining .*signal=\d+|stopped)\n/#)
      #expect(said.map { String($0.1.prefix(7)) } == ["drainin", "stopped"], "\(ended.errors)")
    }
  }

  @Test
  func `a server that drains says so, ends streams, serves on, opens no session, and ends at a second signal`() throws {
    let program = try Program.serve(["--drain-time", "600", "--log-format", "json"])
    let client = try program.client()
    let health = ["health", "--ready", "--port", "\(client.port)"]
    let url = try client.open("login")
    #expect(try client.request("GET", "/readyz").status == 200)
    #expect(try Program.run(health).status == 0)
    let stream = try TestStream(url + "/changes", of: client)
    program.process.terminate()
    let line = try #require(program.errorLine())
    while try stream.next() != nil {}
    #expect(line.hasPrefix(#"{"time":"#) && line.contains(#""level":"info","message":"draining","#), "\(line)")
    for (method, path) in [("GET", "/readyz"), ("POST", "/sessions/login")] {
      let refused = try client.request(method, path)
      #expect((refused.status, refused["Retry-After"]) == (503, "2"))
      #expect(refused.json?["type"] == "/problems/draining")
    }
    #expect(try client.request("GET", "/healthz").status == 200)
    #expect(try Program.run(health).status == 1)
    #expect(try client.request("POST", "\(url)/actions/usernameDidChange", #""maruko""#).status == 200)
    program.process.interrupt()
    #expect(program.end().status == 128 + SIGINT)
  }

  @Test(arguments: [
    (["XDG_STATE_HOME": "HERE"], "euripus/recordings"),
    (["XDG_STATE_HOME": "", "HOME": "HERE"], ".local/state/euripus/recordings"),
    (["XDG_STATE_HOME": "relative", "HOME": "HERE"], ".local/state/euripus/recordings"),
    (["XDG_STATE_HOME": "/nonexistent"], nil),
  ])
  func `the recordings are kept where the user's programs keep their state, or where an option says`(
    environment: [String: String], place: String?
  ) throws {
    let directory = place ?? "given"
    let here = try Folder(["\(directory)/store.json": "not a store"])
    let options = place == nil ? ["--recordings", here[directory]] : []
    let program = try Program.serve(
      options, environment: environment.mapValues { $0.replacing("HERE", with: here.path) })
    _ = try program.port()
    let problem = "store.json cannot be used: "
    #expect(program.stop().contains(" error recordings in '\(here[directory])': \(problem)"))
  }

  @Test func `the users of the login are kept where an option says, and there are none where it is empty`() throws {
    let here = try Folder(["users.json": "not users"])
    for (directory, count, isWrong) in [(here.path, 11, true), ("", 10, false)] {
      let program = try Program.serve(environment: ["EURIPUS_USERS": directory])
      #expect(program.line().hasPrefix("Euripus is serving \(count) view models"))
      #expect(program.stop().contains(" error users in '\(here.path)': ") == isWrong)
    }
  }

  @Test(arguments: ["127.0.0.2", "::1"])
  func `health asks at the address that the server listens on`(host: String) throws {
    let server = try Program.serve(["--host", host])
    let health = ["health", "--port", "\(try server.port())"]
    #expect(try Program.run(health + ["--host", host]).status == 0)
    #expect(try Program.run(health, environment: ["EURIPUS_HOST": host]).status == 0)
    #expect(try Program.run(health + ["--host", "127.0.0.3"]).status == 1)
    server.stop()
    let dead = try Program.run(health + ["--host", host])
    #expect(dead.status == 1)
    let place = "\(host.contains(":") ? "[\(host)]" : host):\(health[2])"
    #expect(dead.errors.contains("\(place) is not healthy: no program listens there"))
  }

  @Test func `health asks on this machine where the server listens on all addresses`() throws {
    let server = try Program.serve(["--host", "0.0.0.0"])
    let port = try server.port()
    #expect(try Program.run("health", "--port", "\(port)", environment: ["EURIPUS_HOST": "0.0.0.0"]).status == 0)
    server.stop()
  }

  @Test(
    arguments: [
      ([], ["EURIPUS_PORT": "80800"], ["EURIPUS_PORT must be a number from 0 to 65535; got '80800'"]),
      ([], ["EURIPUS_TLS_CERT": "/nonexistent.pem"], ["EURIPUS_TLS_CERT is set", "curl"]),
      (["--host", "localhost"], [:], []),
    ] as [([String], [String: String], [String])])
  func `health asks at no other port, over no TLS and at no name, and names a program that can`(
    options: [String], environment: [String: String], words: [String]
  ) throws {
    let ended = try Program.run(["health"] + options, environment: environment)
    #expect(ended.status == 64)
    for word in words { #expect(ended.errors.contains(word), "\(ended.errors)") }
  }
}
