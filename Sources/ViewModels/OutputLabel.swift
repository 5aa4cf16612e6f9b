// SPDX-License-Identifier: MIT
import JSONPatching

/// What is the same for an output in every session: its name, and the pieces of JSON that go around its value.
public struct OutputLabel: Sendable {
  public let name: String
  /// Whether the state does not always have it: true for a secret.
  public let canBeAbsent: Bool
  /// `"name":`
  public let member: [UInt8]
  /// `{"op":"replace","path":"/name","value":` (RFC 6902 §4.3), and the same with `add` (§4.1); `}` ends them.
  public let replacing: [UInt8]
  public let adding: [UInt8]
  /// `{"op":"remove","path":"/name"}` (§4.2)
  public let removal: [UInt8]

  /// The name of an output needs no escape, in JSON or in a pointer: a surface refuses such a name.
  init(_ name: String, canBeAbsent: Bool) {
    self.name = name
    self.canBeAbsent = canBeAbsent
    member = Array("\"\(name)\":".utf8)
    replacing = Array("{\"op\":\"replace\",\"path\":\"/\(name)\",\"value\":".utf8)
    adding = Array("{\"op\":\"add\",\"path\":\"/\(name)\",\"value\":".utf8)
    removal = Array("{\"op\":\"remove\",\"path\":\"/\(name)\"}".utf8)
  }
}
