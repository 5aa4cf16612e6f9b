// SPDX-License-Identifier: MIT
import CSupervision
import Glibc

/// The directory of the reports. Each report is a file; if there are more than 20, the oldest are removed.
struct CrashReports {
  static let most = 20
  let directory: String

  /// - Returns: the path of the file.
  func write(_ report: CrashReport) throws(SupervisionError) -> String {
    try makeDirectory()
    // The names sort by time.
    let name = "crash-\(CrashReport.text(report.time, format: "%Y%m%dT%H%M%S"))-\(report.process).txt"
    let path = "\(directory)/\(name)"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system("writing the crash report \(path)", errno) }
    defer { close(descriptor) }
    var rest = Array(report.text.utf8)
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .system("writing the crash report \(path)", errno) }
      rest.removeFirst(count)
    }
    removeOldest()
    return path
  }

  /// Makes the directory and the directories around it, for their owner alone.
  func makeDirectory() throws(SupervisionError) {
    var end = directory.startIndex
    while end != directory.endIndex {
      end = directory[directory.index(after: end)...].firstIndex(of: "/") ?? directory.endIndex
      if mkdir(String(directory[..<end]), 0o700) == 0 || errno == EEXIST { continue }
      // A directory that exists may lie in one in which nothing can be made.
      let reason = errno
      if access(String(directory[..<end]), F_OK) != 0 { throw .system("making the directory \(directory)", reason) }
    }
  }

  private func removeOldest() {
    guard let stream = opendir(directory) else { return }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = String(cString: esv_entry_name(entry))
      if name.hasPrefix("crash-"), name.hasSuffix(".txt") { names.append(name) }
    }
    for name in names.sorted().dropLast(Self.most) { unlink("\(directory)/\(name)") }
  }
}
