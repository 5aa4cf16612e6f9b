// SPDX-License-Identifier: MIT

/// The reason for a session's end. Its owner is told it for a day.
package enum Closing: Sendable, Equatable {
  /// The client closed it, by a request with this key if it had one.
  case byClient(KeyedRequest?)
  /// The client opened one session more than it may have, and this one made room.
  case superseded
  /// An operator ended it.
  case ended
}

/// The closing as it is stored. A client's closing without a key is stored as nothing, and one with a key as
/// its request. Any other end is one byte, which is shorter than every request.
extension Closing {
  package var bytes: [UInt8]? {
    switch self {
    case .byClient(let request): request?.bytes
    case .superseded: [1]
    case .ended: [2]
    }
  }

  /// Reads the form that ``bytes`` has.
  package init?(bytes: [UInt8]?) {
    guard let bytes else {
      self = .byClient(nil)
      return
    }
    if let closing = [Closing.superseded, .ended].first(where: { $0.bytes == bytes }) {
      self = closing
    } else if let request = KeyedRequest(bytes: bytes) {
      self = .byClient(request)
    } else {
      return nil
    }
  }
}
