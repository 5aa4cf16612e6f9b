// SPDX-License-Identifier: MIT
import Glibc

/// The report on a server that died, and the entry in the log.
extension Supervisor {
  func report(
    on server: ServerProcess, _ ending: RestartPolicy.Ending, _ lived: Duration, _ remains: Remains
  ) -> CrashReport? {
    guard case .killed(let signal) = ending else { return nil }
    // It was told to end by a signal that it does not handle, and has ended by it.
    if state.isStopping, remains.backtrace == nil { return nil }
    var (last, now) = (relay.last, timespec())
    clock_gettime(CLOCK_REALTIME, &now)
    return CrashReport(
      time: Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000, program: configuration.program,
      process: server.pid, life: server.life, lived: lived,
      wasReady: server.isReady, signal: signal, remains: remains, lastLines: last.lines(40))
  }

  func tell(
    _ server: ServerProcess, _ ending: RestartPolicy.Ending, _ lived: Duration, _ remains: Remains,
    _ report: CrashReport?, restartsIn wait: Duration?
  ) {
    var path: String?
    if let report {
      do throws(SupervisionError) { path = try reports.write(report) } catch { say(.failed(error)) }
    }
    switch ending {
    // The server has said itself why it cannot serve.
    case .exited: if wait == nil { return }
    case .killed: if report == nil { return }
    }
    say(
      .ended(ending, process: server.pid, lived: lived, work: remains.culprit?.text, report: path, restartsIn: wait))
  }
}
