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
