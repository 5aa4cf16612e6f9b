// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// A supervisor whose server has a successor, as processes.
@Suite(.timeLimit(.minutes(60))) struct `A server that ends for its successor` {
  /// A program with a stored session that has counted to 1.
  private struct Counted {
    let program: TrappingProgram
    let owner: TestClient
    let url: String

    init(_ program: TrappingProgram) throws {
      self.program = program
      owner = try program.client()
      url = try owner.open("trap")
      #expect(try owner.request("POST", "\(url)/actions/increment").status == 200)
    }

    /// The count that the present server shows.
    func count() throws -> JSON? {
      try program.client(as: owner).request("GET", url).json?["state"]?["count"]
    }

    func askForSuccessor() { kill(program.process.processIdentifier, SIGHUP) }
  }

  @Test func `is started again with its sessions, if the successor dies after it was prepared`() throws {
    let program = try TrappingProgram(drainTime: 600, isStoring: true)
    let counted = try Counted(program)
    counted.askForSuccessor()
    // The server has been told to end, so its successor is prepared.
    try program.errorLine(" info draining ")
    kill(try program.successor(), SIGKILL)
    #expect(program.line() == "not replaced \(128 + SIGKILL)")
    kill(program.server, SIGKILL)
    let death = try program.death()
    #expect(death.process == program.server)
    #expect(death.wait == 0)
    #expect(try counted.count() == 1)
  }

  @Test func `is started again with its sessions, if the successor dies after its turn came`() throws {
    let program = try TrappingProgram(isStoring: true)
    let counted = try Counted(program)
    try program.mark("doomed-at-turn")
    counted.askForSuccessor()
    let told = program.line()
    let death = try program.death()
    #expect(told == "not replaced \(death.status)")
    // A trap is another signal on other processors.
    #expect([SIGILL, SIGTRAP].contains { Int($0) + 128 == death.status })
    #expect(death.process != program.server)
    #expect(death.wait == 0)
    let report = try death.text()
    #expect(report.contains("trapped at its start"), "\(report)")
    #expect(try counted.count() == 1)
    program.terminate()
  }

  @Test func `is killed, if it hangs, and its successor has the sessions`() throws {
    let program = try TrappingProgram(isStoring: true, longestStop: 1)
    let counted = try Counted(program)
    // Only SIGKILL and SIGCONT have an effect on the stopped server.
    kill(program.server, SIGSTOP)
    counted.askForSuccessor()
    #expect(program.line() == "overdue \(program.server) 1")
    let death = try program.death()
    #expect(death.process == program.server)
    #expect(death.status == 128 + Int(SIGKILL))
    #expect(program.line().hasPrefix("replaced "))
    #expect(try counted.count() == 1)
    program.terminate()
  }

  @Test func `is killed with an action at work, five times, and that action is done afterwards`() throws {
    let program = try TrappingProgram(isStoring: true, longestStop: 1)
    let counted = try Counted(program)
    for _ in 1...5 {
      try program.hold(program.client(as: counted.owner), counted.url)
      let server = try program.present()
      kill(server, SIGSTOP)
      counted.askForSuccessor()
      #expect(program.line() == "overdue \(server) 1")
      #expect(try program.death().process == server)
      #expect(program.line().hasPrefix("replaced "))
    }
    let again = try program.client(as: counted.owner)
    #expect(try again.request("POST", "\(counted.url)/actions/held", "false").status == 200)
    #expect(try counted.count() == 2)
    program.terminate()
  }
}
