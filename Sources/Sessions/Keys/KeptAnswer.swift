// SPDX-License-Identifier: MIT

/// The answer to a request with a key, to be answered again: a plain value, so that it can be stored with the state.
public enum KeptAnswer: Sendable, Equatable {
  /// It was applied, and this is the frame.
  case frame(Message)
  /// Whatever the layer above answered.
  ///
  /// - Parameters:
  ///   - form: what that layer makes of it; nothing to this one.
  ///   - version: the one that the answer names, if it names one.
  case other(form: UInt16, body: [UInt8], version: Version?)

  /// The version that it names, if it names one.
  var version: Version? {
    switch self {
    case .frame(let message): message.version
    case .other(_, _, let version): version
    }
  }

  /// The bytes that it is counted with.
  var size: Int {
    switch self {
    case .frame(let message): message.json.count
    case .other(_, let body, _): body.count
    }
  }
}

/// A request that is to take effect once.
public struct KeyedRequest: Sendable, Equatable {
  public let key: IdempotencyKey
  public let digest: Digest

  public init(key: IdempotencyKey, digest: Digest) {
    self.key = key
    self.digest = digest
  }
}
