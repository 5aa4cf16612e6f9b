// SPDX-License-Identifier: MIT
import Glibc

/// The replacement of a server by another version of the program (Decisions/0056).
extension Supervisor {
  /// Starts the program that is at its path now. It waits for its turn, so a program that cannot start does no
  /// harm.
  func startSuccessor() {
    do throws(SupervisionError) {
      let program = try ProgramFile(at: configuration.program)
      if configuration.pardonsSuccessors { suspects = Suspects() }
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

  /// Makes the program of a server that serves the one that is started from now on.
  func keepProgram(of server: ServerProcess) {
    program.close()
    program = server.program
    say(.replaced(process: server.pid))
  }

  func successorEnded(_ ended: ServerProcess, _ ending: RestartPolicy.Ending) {
    takeLastLines(of: ended)
    // This removes its backtrace, which is not the server's.
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
