// SPDX-License-Identifier: MIT
import Glibc

/// The descriptors that the process may have open, of which each connection takes one.
enum Descriptors {
  /// Those that are kept for files, the store and libraries.
  static let reserve = 128

  /// As many connections as there are descriptors for, up to those that are wanted. The limit is raised as far as the process
  /// may.
  static func connections(wanted: Int) -> (count: Int, limit: Int) {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return (wanted, .max) }
    let plan = plan(wanted: wanted, soft: Int(clamping: limit.rlim_cur), hard: Int(clamping: limit.rlim_max))
    if plan.soft > Int(clamping: limit.rlim_cur) {
      var raised = limit
      raised.rlim_cur = rlim_t(plan.soft)
      if setrlimit(resource, &raised) != 0 {
        let soft = Int(clamping: limit.rlim_cur)
        return (Self.plan(wanted: wanted, soft: soft, hard: soft).connections, soft)
      }
    }
    return (plan.connections, plan.soft)
  }

  /// - Parameters:
  ///   - soft: the limit that there is.
  ///   - hard: the highest that it may be raised to.
  /// - Returns: the limit to set, and the connections that it lets be.
  static func plan(wanted: Int, soft: Int, hard: Int) -> (soft: Int, connections: Int) {
    let limit = max(soft, min(hard, wanted + reserve))
    return (limit, max(1, min(wanted, limit - reserve)))
  }
}
