// SPDX-License-Identifier: MIT
import Euripus

/// Why something was not done with the recordings; nothing was changed then, unless it says so.
enum RecordingsError: PresentableError, CustomStringConvertible {
  /// Somebody else deleted it.
  case isGone(String)
  /// The store has no valid content, and is left as it is (S3-R8).
  case corrupt(file: String, String)
  /// Another program has written the store's file after this one read it.
  case changedElsewhere(file: String)
  /// A call of the system failed.
  case failed(String, file: String, reason: String)

  var type: String {
    switch self {
    case .isGone: "gone"
    case .corrupt: "store-corrupt"
    case .changedElsewhere: "store-changed"
    case .failed: "store-failed"
    }
  }

  var detail: String {
    switch self {
    case .isGone(let what): "\(what) was deleted meanwhile"
    case .corrupt(let file, let why):
      "\(file) is not what this program writes, \(why); it is left untouched and nothing is written"
    case .changedElsewhere(let file):
      "\(file) was changed by another program; nothing is written until the server is started again"
    case .failed(let what, let file, let reason): "\(what) \(file) failed: \(reason)"
    }
  }

  var description: String { detail }
}
