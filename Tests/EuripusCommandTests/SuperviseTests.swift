// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import Testing

/// `euripus serve --supervise` as processes. The claims on traps are in SupervisionTests, whose server can be told to
/// trap.
@Suite(.serialized, .timeLimit(.minutes(30))) struct `euripus serve --supervise` {
  @Test func `serves at the same port when its server was killed, with a report, and says so in the log`() throws {
    let folder = try Folder()
    let program = try Program.serve(["--supervise", "--crash-reports", folder.path, "--log-format", "json"])
    let client = try program.client()
    _ = try client.open("login")
    let server = try program.server()
    kill(server, SIGKILL)
    #expect(client.isClosedByServer())
    #expect(try TestClient(port: client.port).request("GET", "/login.html").status == 200)
    let line = try #require(program.errorLine())
    for part in [
      #""level":"error","message":"the server died and is started again""#, #""signal":9"#, #""process":\#(server)"#,
      #""report":"\#(folder.path)/crash-"#, #""milliseconds":0"#,
    ] { #expect(line.contains(part), "\(line)") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    let errors = program.stop()
    #expect(errors.contains(#""message":"draining""#) && errors.contains(#""message":"stopped""#))
    // The next server has the same URL, so it is printed once.
    #expect(program.rest().isEmpty)
  }

  @Test func `answers health, and says which of its settings are wrong as it does alone`() throws {
    let program = try Program.serve(["--supervise"])
    let port = "\(try program.port())"
    #expect(try Program.run("health", "--ready", "--port", port).status == 0)
    let second = try Program.run("serve", "--supervise", "--port", port)
    #expect(second.status == 1 && second.isOneLine, "\(second)")
    #expect(second.errors.contains("127.0.0.1:\(port)") && second.errors.contains("--port says which"))
    program.process.interrupt()
    #expect(program.end().status == 0)
    #expect(try Program.run("serve", "--supervise", "--port", "0", "--idle", "0").status == 64)
  }

  @Test func `goes on where its reports cannot be written, and says why they cannot`() throws {
    let program = try Program.serve(["--supervise", "--crash-reports", "/proc/nothing/here"])
    let port = try program.port()
    kill(try program.server(), SIGKILL)
    #expect(try TestClient(port: port).request("GET", "/healthz").status == 200)
    let line = try #require(program.errorLine())
    #expect(line.contains("/proc/nothing/here") && line.contains(" error "), "\(line)")
    program.stop()
  }

  @Test func `says at its start that SIGHUP will replace nothing, where it is ignored as by nohup`() throws {
    let folder = try Folder()
    let command = ["serve", "--supervise", "--port", "0", "--crash-reports", folder.path]
    let ignoring = try ["-c", #"trap '' HUP; exec "$0" "$@""#, Program.built("euripus")] + command
    let program = try Program(ignoring + ["--store", folder["sessions.db"]], at: "/bin/sh")
    let line = try #require(program.errorLine())
    #expect(line.contains(" warning SIGHUP is ignored, as nohup has it"), "\(line)")
    _ = try program.port()
    program.stop()
  }

  @Test func `hands nothing to a process that is no supervisor's server`() throws {
    let ended = try Program.serve(environment: ["EURIPUS_HANDED_OVER": "listening=1"]).end()
    #expect(ended.status == 1)
    #expect(ended.errors.contains("EURIPUS_HANDED_OVER is 'listening=1', which no supervisor wrote"), "\(ended)")
  }
}
