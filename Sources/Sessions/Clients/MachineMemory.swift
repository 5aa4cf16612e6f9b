// SPDX-License-Identifier: MIT
import Glibc

/// The memory that this process may have.
enum MachineMemory {
  /// The bytes of the machine's memory, or fewer where a control group of the process has a limit, as a
  /// container or a service has.
  static var bytes: Int {
    let machine = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    let groups = SystemFile.text("/proc/self/cgroup")?.split(separator: "\n").first { $0.hasPrefix("0::") }
    return limit(of: groups.map { String($0.dropFirst("0::".count)) } ?? "/", machine: machine) { SystemFile.text($0) }
  }

  /// - Parameters:
  ///   - group: the path of the process's control group. The limits of the groups above it count too.
  ///   - read: gives the text of a file.
  static func limit(of group: String, machine: Int, read: (String) -> String?) -> Int {
    var path = "/sys/fs/cgroup"
    var least = machine
    for name in [""] + group.split(separator: "/").map({ "/\($0)" }) {
      path += name
      // The file of a group without a limit says "max".
      if let text = read("\(path)/memory.max"), let limit = Int(text.prefix { $0 != "\n" }) {
        least = min(least, limit)
      }
    }
    return least
  }
}
