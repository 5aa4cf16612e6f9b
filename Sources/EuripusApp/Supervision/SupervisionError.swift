// SPDX-License-Identifier: MIT
import Glibc

/// The reason why supervision fails.
package enum SupervisionError: Error, CustomStringConvertible {
  /// The system refused a call, with this errno.
  case system(_ what: String, _ errno: Int32)
  /// The variable of the environment has a text that no supervisor wrote.
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
