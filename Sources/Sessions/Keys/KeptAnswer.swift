// SPDX-License-Identifier: MIT

/// The answer to a request with a key, to be answered again: a plain value, so that it can be stored with the state.
public enum KeptAnswer: Sendable, Equatable {
  /// It was applied, and this is the frame.
  case frame(Message)
  /// Another answer, as the layer above gave it.
  ///
  /// - Parameters:
  ///   - form: a number of that layer's own; this one does not look at it.
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
public struct KeyedRequest: Sendable {
  public let key: IdempotencyKey
  public let digest: Digest
  /// Whether the digest has the mark of the credential that it was made with: two of different ones cannot be compared.
  let isMarked: Bool
  /// The client whose key it is; `nil` for the session's owner.
  var client: Credential?

  public init(key: IdempotencyKey, digest: Digest, isMarked: Bool = false) {
    self.key = key
    self.digest = digest
    self.isMarked = isMarked
  }
}

extension KeyedRequest: Equatable {
  public static func == (left: KeyedRequest, right: KeyedRequest) -> Bool {
    left.key == right.key && left.digest == right.digest && left.client == right.client
  }
}

extension KeyedRequest {
  /// The same, as a session of this owner remembers it: of another client's its keys are not the owner's.
  func sent(by client: Credential?, to owner: Credential) -> KeyedRequest {
    guard let client, client != owner else { return self }
    var request = self
    request.client = client
    return request
  }

  /// The hash by which a text, or a name, of this client's is remembered.
  func place(of text: String) -> Digest {
    guard let client else { return Digest(counted: text) }
    var hash = SHA256()
    hash.update(counted: text)
    hash.update(client.bytes)
    return hash.finish()
  }
}
