// SPDX-License-Identifier: MIT
import Glibc

/// The descriptors that the process may have open. Each connection takes one, and one more for the file that it is sent.
enum Descriptors {
  /// The descriptors that are kept for the store, libraries, and files that are opened only to be looked at.
  static let reserve = 128

  /// The number of connections that there are descriptors for, at most the wanted one. The limit is raised as far as
  /// the process may.
  ///
  /// - Parameter sendsFiles: whether each may be sent a file.
  static func connections(wanted: Int, sendsFiles: Bool) -> (count: Int, limit: Int) {
    let each = sendsFiles ? 2 : 1
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return (wanted, .max) }
    let soft = Int(clamping: limit.rlim_cur)
    let plan = plan(wanted: wanted, each: each, soft: soft, hard: Int(clamping: limit.rlim_max))
    if plan.soft > soft {
      var raised = limit
      raised.rlim_cur = rlim_t(plan.soft)
      if setrlimit(resource, &raised) != 0 {
        return (Self.plan(wanted: wanted, each: each, soft: soft, hard: soft).connections, soft)
      }
    }
    return (plan.connections, plan.soft)
  }

  /// - Parameters:
  ///   - each: how many descriptors a connection takes.
  ///   - soft: the limit that there is.
  ///   - hard: the highest that it may be raised to.
  /// - Returns: the limit to set, and the connections that it lets be.
  static func plan(wanted: Int, each: Int, soft: Int, hard: Int) -> (soft: Int, connections: Int) {
    let most = max(1, (max(soft, hard) - reserve) / each)
    if wanted > most { return (max(soft, hard), most) }
    return (max(soft, wanted * each + reserve), wanted)
  }
}
