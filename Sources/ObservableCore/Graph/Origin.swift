// SPDX-License-Identifier: MIT

/// The name of a node, and the place where it was made, for errors and traces.
public struct Origin: CustomStringConvertible, Sendable {
  /// The node's name; empty if it has none.
  public let name: String
  /// `#fileID`: the module and the file.
  public let file: String
  /// The line of the source file.
  public let line: Int

  /// The error of a computed whose owner has gone.
  @usableFromInline
  static func gone(_ name: StaticString, _ file: StaticString, _ line: UInt) -> ObservableError {
    .closed(Origin(name: "\(name)", file: "\(file)", line: Int(line)).description)
  }

  /// The name with the place: `usernameValid (Login/LoginViewModel.swift:12)`. It is the place alone for a node
  /// without a name, and the name alone for a node without a place.
  public var description: String {
    if file.isEmpty { return name }
    return name.isEmpty ? "\(file):\(line)" : "\(name) (\(file):\(line))"
  }
}
