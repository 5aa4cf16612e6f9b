// SPDX-License-Identifier: MIT
import Storing

/// The kept answer to a request with a key, for when the request comes again. It is a plain value, so it can be
/// stored with the state.
package enum KeptAnswer: Sendable, Equatable {
  /// The request was applied, and its answer was this frame.
  case frame(Message)
  /// Another answer, as the layer above gave it.
  ///
  /// - Parameters:
  ///   - form: a number of that layer's own, which this layer does not interpret.
  ///   - version: the version that the answer names; `nil` if it names none.
  case other(form: UInt16, body: [UInt8], version: Version?)

  /// The version that the answer names; `nil` if it names none.
  var version: Version? {
    switch self {
    case .frame(let message): message.version
    case .other(_, _, let version): version
    }
  }

  /// The bytes that the answer is counted with.
  var size: Int {
    switch self {
    case .frame(let message): message.json.count
    case .other(_, let body, _): body.count
    }
  }
}

extension KeyedRequest {
  /// The request as a session of this owner remembers it. Another client's keys are not the owner's keys.
  func sent(by client: Credential?, to owner: Credential) -> KeyedRequest {
    guard let client, client != owner else { return self }
    var request = self
    request.client = client
    return request
  }
}
