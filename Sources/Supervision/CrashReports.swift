// SPDX-License-Identifier: MIT
import Glibc

/// The directory of the reports, each a file; of more than 20 the oldest are removed.
struct CrashReports {
  static let most = 20
  let directory: String

  /// - Returns: the path of the file.
  func write(_ report: CrashReport) throws(SupervisionError) -> String {
    try makeDirectory()
    // The order of the names is that of time.
    let name = "crash-\(CrashReport.text(report.time, format: "%Y%m%dT%H%M%S"))-\(report.process).txt"
    let path = "\(directory)/\(name)"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system("writing the crash report \(path)", errno) }
    defer { close(descriptor) }
    var text = report.text
    let failure: Int32 = text.withUTF8 { text in
      var rest = text[...]
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return errno }
        rest = rest.dropFirst(count)
      }
      return 0
    }
    guard failure == 0 else { throw .system("writing the crash report \(path)", failure) }
    removeOldest()
    return path
  }

  /// Makes it and what it is in, for its owner alone.
  private func makeDirectory() throws(SupervisionError) {
    var end = directory.startIndex
    while end != directory.endIndex {
      end = directory[directory.index(after: end)...].firstIndex(of: "/") ?? directory.endIndex
      if mkdir(String(directory[..<end]), 0o700) == 0 || errno == EEXIST { continue }
      // What is there already may be a place where nothing can be made.
      let reason = errno
      if access(String(directory[..<end]), F_OK) != 0 { throw .system("making the directory \(directory)", reason) }
    }
  }

  private func removeOldest() {
    guard let stream = opendir(directory) else { return }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
      }
      if name.hasPrefix("crash-"), name.hasSuffix(".txt") { names.append(name) }
    }
    for name in names.sorted().dropLast(Self.most) { unlink("\(directory)/\(name)") }
  }
}
