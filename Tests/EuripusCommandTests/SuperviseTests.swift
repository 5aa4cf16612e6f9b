// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import Testing

/// `euripus serve --supervise` as processes. The claims on traps are in SupervisionTests, whose server can be told to
/// trap.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `euripus serve --supervise` {
  private static func reports() -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("crashes-\(UUID().uuidString)").path
  }

  private static func server(of supervisor: Int32) throws -> Int32 { try Program.child(of: supervisor) }

  @Test func `serves at the same port when its server was killed, with a report, and says so in the log`() throws {
    let reports = Self.reports()
    defer { try? FileManager.default.removeItem(atPath: reports) }
    let program = try Program("serve", "--supervise", "--port", "0", "--crash-reports", reports, "--log-format", "json")
    let port = try Program.port(program.line())
    let client = try TestClient(port: port)
    _ = try client.open("login")
    let server = try Self.server(of: program.process.processIdentifier)
    kill(server, SIGKILL)
    #expect(client.isClosedByServer())
    #expect(try TestClient(port: port).request("GET", "/").status == 200)
    let line = try #require(program.errorLine())
    for part in [
      #""level":"error","message":"the server died and is started again""#, #""signal":9"#, #""process":\#(server)"#,
      #""report":"\#(reports)/crash-"#, #""milliseconds":0"#,
    ] { #expect(line.contains(part), "\(line)") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: reports).count == 1)
    program.process.terminate()
    let (status, errors) = program.end()
    #expect(status == 0)
    #expect(errors.contains(#""message":"draining""#) && errors.contains(#""message":"stopped""#))
    // The next server has the same URL, so it is printed once.
    #expect(program.rest().isEmpty)
  }

  @Test func `answers health, and says what is wrong with its settings as it does alone`() throws {
    let program = try Program("serve", "--supervise", "--port", "0")
    let port = try Program.port(program.line())
    #expect(try Program("health", "--ready", "--port", "\(port)").end().status == 0)
    let second = try Program("serve", "--supervise", "--port", "\(port)")
    let (status, errors) = second.end()
    #expect(status == 1)
    #expect(errors.contains("127.0.0.1:\(port)") && errors.contains("--port says which"))
    #expect(errors.filter { $0 == "\n" }.count == 1, "\(errors)")
    program.process.interrupt()
    #expect(program.end().status == 0)
    #expect(try Program("serve", "--supervise", "--port", "0", "--idle", "0").end().status == 64)
  }

  @Test func `ends with the status of a server that cannot begin, and does not try again`() throws {
    let place = FileManager.default.temporaryDirectory.appendingPathComponent("pem-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: place) }
    try Data("no certificate".utf8).write(to: URL(fileURLWithPath: place))
    let program = try Program("serve", "--supervise", "--port", "0", "--tls-cert", place, "--tls-key", place)
    let (status, errors) = program.end()
    #expect(status == 1)
    #expect(errors.contains("Cannot serve TLS"), "\(errors)")
    #expect(errors.filter { $0 == "\n" }.count == 1, "\(errors)")
  }

  @Test func `goes on where its reports cannot be written, and says why they cannot`() throws {
    let program = try Program("serve", "--supervise", "--port", "0", "--crash-reports", "/proc/nothing/here")
    let port = try Program.port(program.line())
    kill(try Self.server(of: program.process.processIdentifier), SIGKILL)
    #expect(try TestClient(port: port).request("GET", "/healthz").status == 200)
    let line = try #require(program.errorLine())
    #expect(line.contains("/proc/nothing/here") && line.contains(" error "), "\(line)")
    program.process.terminate()
    #expect(program.end().status == 0)
  }

  @Test func `says at its start that SIGHUP will replace nothing, where it is ignored as by nohup`() throws {
    let reports = Self.reports()
    defer { try? FileManager.default.removeItem(atPath: reports) }
    let command = try [Program.built("euripus"), "serve", "--supervise", "--port", "0", "--crash-reports", reports]
    let ignoring = ["-c", #"trap '' HUP; exec "$0" "$@""#] + command + ["--store", reports + "/sessions.db"]
    let program = try Program(ignoring, at: "/bin/sh")
    let line = try #require(program.errorLine())
    #expect(line.contains(" warning SIGHUP is ignored, as nohup has it"), "\(line)")
    _ = try Program.port(program.line())
    program.process.terminate()
    #expect(program.end().status == 0)
  }

  @Test func `hands nothing to what is no supervisor's server`() throws {
    let program = try Program("serve", "--port", "0", environment: ["EURIPUS_HANDED_OVER": "listening=1"])
    let (status, errors) = program.end()
    #expect(status == 1)
    #expect(errors.contains("EURIPUS_HANDED_OVER is 'listening=1', which no supervisor wrote"), "\(errors)")
  }
}
