// SPDX-License-Identifier: MIT
public import JSONPatching

/// The state of a driver's session at one time.
public struct DriverState: Sendable {
  /// The whole state.
  public let json: JSON

  /// A value of the state, by its path; `nil` for an absent one.
  public subscript(path: String) -> JSON? {
    ModelDriver.tokens(path).reduce(json as JSON?) { value, name in value?[name] }
  }
}
