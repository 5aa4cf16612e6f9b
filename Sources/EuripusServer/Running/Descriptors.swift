// SPDX-License-Identifier: MIT
import Glibc

/// The descriptors that the process may have open. Each connection takes one, and a second one for a file that
/// is being sent.
enum Descriptors {
  /// The descriptors that are kept free for the store, for libraries, and for files that are opened only for a
  /// look.
  static let reserve = 128

  /// The number of connections for which there are descriptors, at most the wanted number. It raises the
  /// process's limit as far as needed and allowed.
  ///
  /// - Parameter sendsFiles: whether each connection may be sent a file.
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
  ///   - each: the number of descriptors that a connection takes.
  ///   - soft: the present limit.
  ///   - hard: the highest limit that the process may set.
  /// - Returns: the limit to set, and the number of connections that it allows.
  static func plan(wanted: Int, each: Int, soft: Int, hard: Int) -> (soft: Int, connections: Int) {
    let most = max(1, (max(soft, hard) - reserve) / each)
    if wanted > most { return (max(soft, hard), most) }
    return (max(soft, wanted * each + reserve), wanted)
  }
}
