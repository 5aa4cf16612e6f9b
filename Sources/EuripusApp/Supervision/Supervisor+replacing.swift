// SPDX-License-Identifier: MIT
import Glibc

/// Another version of the program that takes the place of a server (Decisions/0056).
extension Supervisor {
  /// Starts the program that is at its path now, which waits for its turn: one that cannot start harms nobody.
  func startSuccessor() {
    do throws(SupervisionError) {
      let program = try ProgramFile(at: configuration.program)
      do throws(SupervisionError) { state.successorStarted(try start(program, waits: true)) } catch {
        program.close()
        throw error
      }
    } catch { say(.failed(error)) }
  }

  func giveTurn(to server: ServerProcess) {
    relay.forget()
    server.giveTurn()
  }

  /// The program of a server that serves is the one that others are started of.
  func keepProgram(of server: ServerProcess) {
    program.close()
    program = server.program
    say(.replaced(process: server.pid))
  }

  func successorEnded(_ ended: ServerProcess, _ ending: RestartPolicy.Ending) {
    takeLastLines(of: ended)
    // Its backtrace is not the server's.
    _ = backtraces.take()
    perform(state.successorEnded(ending))
  }

  func tellThatNotReplaced(_ server: ServerProcess, _ ending: RestartPolicy.Ending) {
    server.program.close()
    say(.notReplaced(ending))
  }

  func dismiss(_ successor: ServerProcess) {
    successor.signal(SIGKILL)
    takeLastLines(of: successor)
    successor.program.close()
  }

  func endOverdue(_ server: ServerProcess) {
    server.signal(SIGKILL)
    say(.overdue(process: server.pid, after: configuration.longestStop))
  }
}
