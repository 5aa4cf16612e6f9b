// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// A timer of a server that is killed, and started again on the same store.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `A timer of a server that is killed` {
  private final class Place {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("timed-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func serve() throws -> (program: Program, client: TestClient) {
      let program = try Program(
        ["serve", "--port", "0", "--reminders", "--store", directory + "/sessions.db"], of: "BoardApp")
      return (program, try TestClient(port: Program.port(program.line())))
    }

    func kill(_ program: Program) {
      Foundation.kill(program.process.processIdentifier, SIGKILL)
      _ = program.end()
    }
  }

  @Test func `acts once when the server is back`() throws {
    let place = try Place()
    let (first, client) = try place.serve()
    let url = try client.open("reminder")
    // The timer is due while there is no server, or soon after there is one again.
    #expect(try client.request("POST", "\(url)/actions/remind", "500").status == 200)
    place.kill(first)
    for life in 1...3 {
      let (program, again) = try place.serve()
      again.goOn(with: client.cookie)
      var seen = try again.request("GET", url)
      while life == 1, seen.json?["state"]?["rings"] == 0, case .string(let version)? = seen.json?["version"] {
        _ = try again.request("GET", "\(url)/changes?since=\(version)", fields: [("Prefer", "wait=30")])
        seen = try again.request("GET", url)
      }
      #expect(seen.json?["state"]?["rings"] == 1, "life \(life): \(seen.text)")
      place.kill(program)
    }
  }
}
