// SPDX-License-Identifier: MIT
import Glibc

/// The directories of files that the program makes.
enum StateDirectory {
  struct NotMade: Error, CustomStringConvertible {
    let description: String
  }

  /// Makes the directory of a file, and the directories around it, for this user alone.
  static func make(containing path: String) throws(NotMade) {
    let steps = path.split(separator: "/", omittingEmptySubsequences: true).dropLast()
    var directory = path.hasPrefix("/") ? "" : "."
    for step in steps {
      directory += "/\(step)"
      guard mkdir(directory, 0o700) != 0, errno != EEXIST, errno != EISDIR else { continue }
      throw NotMade(
        description: "cannot make the directory '\(directory)': \(String(cString: strerror(errno)))")
    }
  }
}
