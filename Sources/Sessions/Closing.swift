// SPDX-License-Identifier: MIT

/// The reason of a session's end that its owner is told for a day.
public enum Closing: Sendable, Equatable {
  /// Its client closed it, by a request with this key if it had one.
  case byClient(KeyedRequest?)
  /// Its client had as many sessions as it may, and opened one more.
  case superseded
  /// An operator ended it.
  case ended

  /// The error of every request to the session from then on.
  public var error: SessionError {
    switch self {
    case .byClient: .closed
    case .superseded: .superseded
    case .ended: .ended
    }
  }
}

/// The closing as it is stored: nothing where a client closed without a key, a byte where somebody else ended it, or
/// else the request, which is longer.
extension Closing {
  package var bytes: [UInt8]? {
    switch self {
    case .byClient(let request): request?.bytes
    case .superseded: [1]
    case .ended: [2]
    }
  }

  /// Takes what ``bytes`` gives.
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
