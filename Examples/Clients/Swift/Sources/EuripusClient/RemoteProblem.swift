// SPDX-License-Identifier: MIT

/// A refusal, as the server words it (RFC 9457). Nothing of the request was applied.
public struct RemoteProblem: Error, CustomStringConvertible {
  public let status: Int
  public let body: JSON
  /// The last part of its type: `action-disabled`.
  public var kind: String { body["type"]?.text?.split(separator: "/").last.map(String.init) ?? "" }
  public var description: String { body["detail"]?.text ?? "status \(status)" }

  /// Whether the request's number is used up: by a decision of the session, or by another request (PROTOCOL §4).
  var usesUpNumber: Bool {
    [
      "malformed-json", "bad-version", "not-json", "read-only", "not-allowed", "action-disabled", "command-busy",
      "version-moved", "value-changed", "invalid-action", "refused", "internal", "poisoned", "state-too-large",
      "key-reused", "command-failed",
    ].contains(kind)
  }
}
