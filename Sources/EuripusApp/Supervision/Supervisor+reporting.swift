// SPDX-License-Identifier: MIT
import Glibc

/// The report on a server that died, and the word that the log has of an end.
extension Supervisor {
  func report(
    on server: ServerProcess, _ ending: RestartPolicy.Ending, _ lived: Duration, _ remains: Remains
  ) -> CrashReport? {
    guard case .killed(let signal) = ending else { return nil }
    // Told to end by a signal that it does not take, it has done so.
    if isStopping, remains.backtrace == nil { return nil }
    var (last, now) = (relay.last, timespec())
    clock_gettime(CLOCK_REALTIME, &now)
    return CrashReport(
      time: Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000, program: configuration.program,
      process: server.pid, life: server.life, lived: lived,
      wasReady: server.isReady, signal: signal, remains: remains, lastLines: last.lines(40))
  }

  func tell(
    _ server: ServerProcess, _ ending: RestartPolicy.Ending, _ lived: Duration, _ remains: Remains,
    _ report: CrashReport?, _ status: Int32?
  ) {
    var path: String?
    if let report {
      do throws(SupervisionError) { path = try reports.write(report) } catch { say(.failed(error)) }
    }
    if case .exited(status: 0) = ending { return }
    if isStopping, report == nil { return }
    // It has said itself why it cannot serve.
    if case .exited = ending, status != nil { return }
    let wait = status == nil ? restartAt.map { max(.zero, $0 - .now) } ?? .zero : nil
    say(.ended(ending, process: server.pid, lived: lived, work: remains.culprit?.text, report: path, restartsIn: wait))
  }
}
