// SPDX-License-Identifier: MIT
import Euripus

/// The reason why something was not done with the recordings; nothing was changed then, unless it says so.
enum RecordingsError: PresentableError, CustomStringConvertible {
  /// Somebody else deleted it.
  case isGone(String)
  /// The store is full: there are as many folders and recordings as there may be.
  case isFull(most: Int)
  /// A name takes more bytes than it may.
  case nameIsTooLong(most: Int, Int)
  /// The store is busy: no more changes may wait to be saved.
  case isBusy
  /// The store has no valid content, and is left as it is (S3-R8).
  case corrupt(file: String, String)
  /// Another program has written the store's file after this one read it.
  case changedElsewhere(file: String)
  /// A call of the system failed.
  case failed(String, file: String, reason: String)

  var type: String {
    switch self {
    case .isGone: "gone"
    case .isFull: "full"
    case .nameIsTooLong: "name-too-long"
    case .isBusy: "busy"
    case .corrupt: "store-corrupt"
    case .changedElsewhere: "store-changed"
    case .failed: "store-failed"
    }
  }

  var detail: String {
    switch self {
    case .isGone(let what): "\(what) has been deleted."
    case .isFull(let most): "The limit of \(most) folders and recordings is reached. Delete one first."
    case .nameIsTooLong(let most, let count): "Name too long: \(count) bytes; the limit is \(most). Shorten it."
    case .isBusy: "Too many changes are waiting to be saved. Try the last one again."
    case .corrupt(let file, let why):
      "\(file) cannot be used: \(why). Changes are not saved. Repair the file and restart the server."
    case .changedElsewhere(let file):
      "\(file) was changed by another program. Changes are not saved until you restart the server."
    case .failed(let what, let file, let reason): "Error while \(what) \(file): \(reason)"
    }
  }

  /// Whether something is wrong with the store, and not with the request.
  var isOfTheStore: Bool {
    switch self {
    case .isGone, .isFull, .nameIsTooLong, .isBusy: false
    case .corrupt, .changedElsewhere, .failed: true
    }
  }

  var description: String { detail }
}
