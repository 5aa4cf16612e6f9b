// SPDX-License-Identifier: MIT
public import JSONPatching

/// The refusal of a value that was set by somebody who had not seen what it was changed to: a client gets
/// `412 value-changed` (PROTOCOL §3).
public struct ValueChanged: Error, Equatable, CustomStringConvertible {
  /// The path of the value.
  public let path: String
  /// The value as it is; `nil` if the one who was to set it cannot read it.
  public let present: JSON?

  public init(path: String, present: JSON?) { (self.path, self.present) = (path, present) }

  public var description: String {
    "'\(path)' was changed since then; it is \(present.map { "\($0)" } ?? "not shown") now"
  }
}
