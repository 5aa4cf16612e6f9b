// SPDX-License-Identifier: MIT

/// An error of a store: the fault, its place, and the remedy.
package struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable, Equatable {
    /// Another server has the store.
    case held
    /// A later version of the program wrote the store.
    case newer
    /// The file is not a store of sessions.
    case foreign
    /// The store is not as it was written.
    case damaged
    /// The store has no room for the bytes.
    case full
    /// Another transaction of an action came first. Nothing was written.
    case conflict
    /// The store cannot be written, or cannot be reached.
    case unavailable
    /// The store was told to stop.
    case stopped
  }

  package let kind: Kind
  private let text: String

  /// - Parameter text: the fault, the store that has it, and the remedy.
  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  /// Whether the fault lasts until a person does something about it.
  package var isLasting: Bool {
    switch kind {
    case .newer, .foreign, .damaged: true
    case .held, .full, .conflict, .unavailable, .stopped: false
    }
  }

  package var description: String { text }

  static let stopped = StoreError(
    .stopped, "the session store is being closed, as the server stops; expected no more changes: ask the server anew")
}
