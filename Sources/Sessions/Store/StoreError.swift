// SPDX-License-Identifier: MIT

/// An error of a store: the fault, its place, and the remedy.
package struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable, Equatable {
    /// Another server has it.
    case held
    /// A later version of the program wrote it.
    case newer
    /// The file is no store of sessions.
    case foreign
    /// It is not as it was written.
    case damaged
    /// A store without room for the bytes to be written.
    case full
    /// It cannot be written, or not be reached.
    case unavailable
    /// It was told to stop.
    case stopped
  }

  package let kind: Kind
  private let text: String

  /// - Parameter text: says what happened, which store, and what to do.
  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  /// Whether it is so until somebody does something about it.
  package var isLasting: Bool {
    switch kind {
    case .newer, .foreign, .damaged: true
    case .held, .full, .unavailable, .stopped: false
    }
  }

  package var description: String { text }

  static let stopped = StoreError(
    .stopped, "the session store is being closed, as the server stops; expected no more changes: ask the server anew")
}
