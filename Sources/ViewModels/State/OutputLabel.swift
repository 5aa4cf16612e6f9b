// SPDX-License-Identifier: MIT

/// What is the same for a member of the state wherever it is shown: its name, and that as it stands in JSON.
struct OutputLabel: Sendable {
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
