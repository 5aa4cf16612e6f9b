// SPDX-License-Identifier: MIT
import Glibc

/// Another version of the program that takes the place of a server (Decisions/0056).
extension Supervisor {
  /// Starts the program that is at its path now, which waits for its turn: one that cannot start harms nobody.
  func startSuccessor() {
    if isStopping || newProgram != nil { return }
    if let successor {
      // One that is not prepared may never be: its end is told, and the next signal starts another.
      if !successor.server.isPrepared { successor.server.signal(SIGKILL) }
      return
    }
    do throws(SupervisionError) {
      let program = try ProgramFile(at: configuration.program)
      do throws(SupervisionError) { successor = (try start(program, waits: true), program) } catch {
        program.close()
        throw error
      }
    } catch { say(.failed(error)) }
  }

  func hearSuccessor() {
    successor?.server.hear()
    guard !isReplacing, !isStopping, successor?.server.isPrepared == true else { return }
    isReplacing = true
    if let server { server.signal(SIGTERM) } else { takePlace() }
  }

  /// Has the successor serve, if it is still there; else a server like the one that has ended.
  func takePlace() {
    isReplacing = false
    guard let successor, successor.server.isPrepared else { return restartAt = .now }
    (server, newProgram, self.successor, restartAt) = (successor.server, successor.program, nil, nil)
    relay.forget()
    server?.giveTurn()
  }

  /// The program of a server that serves is the one that others are started of.
  func keepNewProgram(of server: ServerProcess) {
    guard let newProgram else { return }
    program.close()
    (program, self.newProgram) = (newProgram, nil)
    say(.replaced(process: server.pid))
  }

  func successorEnded(_ ending: RestartPolicy.Ending) {
    guard var ended = successor else { return }
    successor = nil
    takeLastLines(of: &ended.server)
    // Its backtrace is not the server's.
    _ = backtraces.take()
    ended.program.close()
    if !isStopping { say(.notReplaced(ending)) }
  }

  /// Decides what comes after a server that has ended.
  func next(
    after ending: RestartPolicy.Ending, wasReady: Bool, lived: Duration, isCauseKnown: Bool
  ) -> Int32? {
    if isReplacing, !isStopping {
      takePlace()
      return nil
    }
    if let newProgram, !isStopping {
      // The program before it could serve.
      newProgram.close()
      self.newProgram = nil
      say(.notReplaced(ending))
      restartAt = .now
      return nil
    }
    return decide(ending, wasReady: wasReady, lived: lived, isCauseKnown: isCauseKnown)
  }
}
