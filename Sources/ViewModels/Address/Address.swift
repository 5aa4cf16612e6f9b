// SPDX-License-Identifier: MIT

/// An address, taken apart below the place where it begins: the steps of a coordinator's path, and values by
/// their names.
package struct Address: Sendable, Equatable {
  package struct Item: Sendable, Equatable {
    package let name: String
    /// `nil` for a name without `=`, which is `null`.
    package let text: String?

    package init(name: String, text: String?) { (self.name, self.text) = (name, text) }
  }

  package var steps: [String]
  package var items: [Item]

  package init(steps: [String], items: [Item]) { (self.steps, self.items) = (steps, items) }
}

/// The use that a change of a value makes of a browser's history, where the value is in the address.
public enum AddressHistory: Sendable {
  /// Adds an entry, so that the back button leads to the value before.
  case push
  /// Takes the place of the present entry.
  case replace
}
