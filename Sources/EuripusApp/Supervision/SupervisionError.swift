// SPDX-License-Identifier: MIT
import Glibc

/// The reasons for which nothing can be supervised.
package enum SupervisionError: Error, CustomStringConvertible {
  /// The system refused something, with this errno.
  case system(_ what: String, _ errno: Int32)
  /// The environment has what a supervisor hands over, and no supervisor wrote it.
  case badHandOver(String)

  package var description: String {
    switch self {
    case .system(let what, let reason):
      "cannot supervise a server: \(what) failed: \(String(cString: strerror(reason)))"
    case .badHandOver(let text):
      "\(HandOver.variable) is '\(text)', which no supervisor wrote; expected it to be unset: a supervisor sets it for the "
        + "server that it starts"
    }
  }
}
