// SPDX-License-Identifier: MIT

/// What a node is called and where it was made: how errors and traces name it.
public struct Origin: Sendable, CustomStringConvertible {
  let name: StaticString
  let file: StaticString
  let line: UInt

  /// `usernameValid (Login/LoginViewModel.swift:12)`, or the place alone for a node without a name.
  public var description: String {
    name.utf8CodeUnitCount == 0 ? "\(file):\(line)" : "\(name) (\(file):\(line))"
  }
}
