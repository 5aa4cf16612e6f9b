// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// The program as a process: its output, and its ends.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `euripus serve` {
  @Test func `a server that dies leaves no memory in a file, unless that is asked for`() throws {
    /// The soft and the hard limit of core dumps of a process.
    func limits(of process: String) throws -> [Substring] {
      let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
      let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
      return Array(core.split(separator: " ")[4...5])
    }
    for (option, expected) in [([], ["0", "0"]), (["--core-dumps"], try limits(of: "self"))] {
      let program = try Program(["serve", "--port", "0"] + option)
      _ = program.line()
      #expect(try limits(of: "\(program.process.processIdentifier)") == expected)
      program.process.terminate()
      #expect(program.end().status == 0)
    }
  }

  @Test func `prints its URL once it can be opened, and a signal ends it with status 0`() throws {
    for signal in [SIGTERM, SIGINT] {
      let program = try Program("serve", "--port", "0")
      let client = try TestClient(port: Program.port(program.line()))
      #expect(try client.request("GET", "/").status == 200)
      kill(program.process.processIdentifier, signal)
      let (status, errors) = program.end()
      #expect(status == 0)
      let said = errors.matches(of: #/\S+Z info (draining .*signal=\d+|stopped)\n/#)
      #expect(said.map { String($0.1.prefix(7)) } == ["drainin", "stopped"], "\(errors)")
    }
  }

  @Test
  func `a server that drains says so at /readyz, ends streams, serves on, opens no session, and ends with status 0`()
    throws
  {
    let program = try Program("serve", "--port", "0", "--drain-time", "600", "--log-format", "json")
    let port = try Program.port(program.line())
    let client = try TestClient(port: port)
    let url = try client.open("login")
    #expect(try client.request("GET", "/readyz").status == 200)
    #expect(try Program("health", "--ready", "--port", "\(port)").end().status == 0)
    let stream = try TestStream(url + "/changes", of: client)
    program.process.terminate()
    let line = try #require(program.errorLine())
    while try stream.next() != nil {}
    #expect(line.hasPrefix(#"{"time":"#) && line.contains(#""level":"info","message":"draining","#), "\(line)")
    let ready = try client.request("GET", "/readyz")
    #expect(ready.status == 503)
    #expect(ready.json?["type"] == "/problems/draining")
    #expect(ready["Retry-After"] == "2")
    #expect(try client.request("GET", "/healthz").status == 200)
    #expect(try Program("health", "--ready", "--port", "\(port)").end().status == 1)
    let refused = try client.request("POST", "/sessions/login")
    #expect(refused.status == 503)
    #expect(refused["Retry-After"] == "2")
    #expect(try client.request("POST", "\(url)/actions/usernameDidChange", #""maruko""#).status == 200)
    // A second signal does not wait for the rest.
    program.process.interrupt()
    #expect(program.end().status == 128 + SIGINT)
  }

  @Test func `a server that stops releases who waits, finishes what is at work, and ends with status 0`() throws {
    let program = try Program("serve", "--port", "0")
    let client = try TestClient(port: Program.port(program.line()))
    let url = try client.open("follow")
    let version = try client.request("GET", url).json?["version"]
    guard case .string(let version)? = version else { throw CocoaError(.coderReadCorrupt) }
    let poll = try TestClient(port: client.port)
    poll.cookie = client.cookie
    try poll.send("GET", "\(url)/changes?since=\(version)", fields: [("Prefer", "wait=55")])
    let worker = try TestClient(port: client.port)
    worker.cookie = client.cookie
    // A request that waits for its command is at work until the command is over, or the server stops.
    try worker.send("POST", "\(url)/actions/people/items/turing/follow", "true", fields: [("Prefer", "wait=55")])
    // The poll waits for this change, so the command is at work when the poll is answered.
    #expect(try poll.receive().status == 200)
    guard case .string(let now)? = try client.request("GET", url).json?["version"] else {
      throw CocoaError(.coderReadCorrupt)
    }
    try poll.send("GET", "\(url)/changes?since=\(now)", fields: [("Prefer", "wait=55")])
    program.process.terminate()
    #expect([200, 204].contains(try poll.receive().status))
    #expect(try worker.receive().status == 200)
    #expect(program.end().status == 0)
  }

  @Test func `a taken port is one clear line and status 1`() throws {
    let first = try Program("serve", "--port", "0")
    let port = try Program.port(first.line())
    let second = try Program("serve", "--port", "\(port)")
    let (status, errors) = second.end()
    #expect(status == 1)
    #expect(errors.contains("127.0.0.1:\(port)"))
    #expect(errors.filter { $0 == "\n" }.count == 1, "\(errors)")
    first.process.terminate()
    #expect(first.end().status == 0)
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
    let here = FileManager.default.temporaryDirectory.appendingPathComponent("serve-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: here) }
    let environment = environment.mapValues { $0.replacing("HERE", with: here.path) }
    let directory = here.appendingPathComponent(place ?? "given")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data("not a store".utf8).write(to: directory.appendingPathComponent("store.json"))
    let program =
      try place == nil
      ? Program("serve", "--port", "0", "--recordings", directory.path, environment: environment)
      : Program("serve", "--port", "0", environment: environment)
    _ = try Program.port(program.line())
    program.process.terminate()
    let (status, errors) = program.end()
    #expect(status == 0)
    #expect(errors.contains(" error recordings in '\(directory.path)': store.json is not what this program writes"))
  }

  @Test func `the users of the login are kept where an option says, and there are none where it is empty`() throws {
    let here = FileManager.default.temporaryDirectory.appendingPathComponent("serve-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: here) }
    try FileManager.default.createDirectory(at: here, withIntermediateDirectories: true)
    try Data("not users".utf8).write(to: here.appendingPathComponent("users.json"))
    for (directory, count, isWrong) in [(here.path, 8, true), ("", 7, false)] {
      let program = try Program("serve", "--port", "0", environment: ["EURIPUS_USERS": directory])
      #expect(program.line().hasPrefix("Euripus is serving \(count) view models"))
      program.process.terminate()
      let (status, errors) = program.end()
      #expect(status == 0)
      #expect(errors.contains(" error users in '\(here.path)': ") == isWrong, "\(errors)")
    }
  }

  @Test(arguments: ["127.0.0.2", "::1"])
  func `health asks at the address that the server listens on`(host: String) throws {
    let server = try Program("serve", "--port", "0", "--host", host)
    let port = try #require(server.line().firstMatch(of: #/:(\d+)\/$/#)).1
    #expect(try Program("health", "--port", "\(port)", "--host", host).end().status == 0)
    #expect(try Program("health", "--port", "\(port)", environment: ["EURIPUS_HOST": host]).end().status == 0)
    #expect(try Program("health", "--port", "\(port)", "--host", "127.0.0.3").end().status == 1)
    server.process.terminate()
    _ = server.end()
    let dead = try Program("health", "--port", "\(port)", "--host", host).end()
    #expect(dead.status == 1)
    let place = "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    #expect(dead.errors.contains("\(place) is not healthy: no program listens there"))
  }

  @Test func `health asks on this machine where the server listens on all addresses`() throws {
    let server = try Program("serve", "--port", "0", "--host", "0.0.0.0")
    let port = try Program.port(server.line())
    #expect(try Program("health", "--port", "\(port)", environment: ["EURIPUS_HOST": "0.0.0.0"]).end().status == 0)
    server.process.terminate()
    _ = server.end()
  }

  @Test func `health does not ask at another port than that of the environment`() throws {
    let (status, errors) = try Program("health", environment: ["EURIPUS_PORT": "80800"]).end()
    #expect(status == 64)
    #expect(errors.contains("EURIPUS_PORT must be a number from 0 to 65535; got '80800'"), "\(errors)")
  }

  @Test func `health says that it cannot ask over TLS, and what can`() throws {
    let (status, errors) = try Program("health", environment: ["EURIPUS_TLS_CERT": "/nonexistent.pem"]).end()
    #expect(status == 64)
    #expect(errors.contains("EURIPUS_TLS_CERT is set") && errors.contains("curl"), "\(errors)")
    #expect(try Program("health", "--host", "localhost").end().status == 64)
  }

  @Test func `an option that there is not is refused by its name, with status 64`() throws {
    let (status, errors) = try Program("--nonsense", "--port=0").end()
    #expect(status == 64)
    #expect(errors.contains("--nonsense"))
  }
}
