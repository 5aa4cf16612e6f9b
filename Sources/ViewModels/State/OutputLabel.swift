// SPDX-License-Identifier: MIT

/// What is the same for a member of the state wherever it is shown: its name, and that as it stands in JSON.
final class OutputLabel: Sendable {
  let name: String
  /// `"name":`
  let member: [UInt8]
  /// `/name`, as it stands in a pointer in JSON (RFC 6901 §5).
  let segment: [UInt8]

  /// - Parameter name: one that needs no escape, in JSON or in a pointer: a surface refuses others.
  init(_ name: String) {
    self.name = name
    member = Array("\"\(name)\":".utf8)
    segment = Array("/\(name)".utf8)
  }
}

extension String {
  /// Whether this name of a surface, which is of ASCII, is what a path says. Most are not, and most of those have another
  /// length.
  func isName(_ token: String) -> Bool { utf8.count == token.utf8.count && self == token }
}
