// SPDX-License-Identifier: MIT

/// The name of a member of the state, and its forms in JSON.
final class OutputLabel: Sendable {
  let name: String
  /// `"name":`
  let member: [UInt8]
  /// `/name`, as it stands in a pointer in JSON (RFC 6901 §5).
  let segment: [UInt8]

  /// - Parameter name: a name that needs no escape in JSON or in a pointer; a surface refuses others.
  init(_ name: String) {
    self.name = name
    member = Array("\"\(name)\":".utf8)
    segment = Array("/\(name)".utf8)
  }
}

extension String {
  /// Whether a token of a path is this name of a surface, which is ASCII. Most tokens are another name, and
  /// most of those have another length.
  func isName(_ token: String) -> Bool { utf8.count == token.utf8.count && self == token }
}
