// SPDX-License-Identifier: MIT
public import JSONPatching

/// The state of a driver's session at one time.
public struct DriverState: Sendable {
  /// The whole state.
  public let json: JSON

  /// A value of the state, by its path; `nil` for an absent one. An element of an array has its index: `rows/order/0`.
  public subscript(path: String) -> JSON? {
    ModelDriver.tokens(path).reduce(json as JSON?) { value, name in
      guard case .array(let elements)? = value else { return value?[name] }
      return Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    }
  }
}
