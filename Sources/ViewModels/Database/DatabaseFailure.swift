// SPDX-License-Identifier: MIT

/// The reason why a database did not do what an action asked for.
public struct DatabaseFailure: Error, CustomStringConvertible {
  public enum Kind: Sendable {
    /// A rule of a table does not hold, such as `UNIQUE`. The statement alone did nothing; the action may go on.
    case constraint
    /// The statement is wrong, or its values or rows do not fit.
    case statement
    /// A statement has undone the whole transaction, as `ON CONFLICT ROLLBACK` does. The action cannot go on.
    case undone
    /// Another transaction has changed meanwhile what this one has read or writes, and everything that the action wrote
    /// is undone. It may do when it is done once more.
    case conflict
    /// The action has had the database for longer than it may, and everything that it wrote is undone.
    case tooSlow
    /// There is no room to write.
    case full
    /// The database cannot be used now. Everything that the action wrote is undone.
    case unavailable
  }

  public let kind: Kind
  /// The reason in words, for the log and for the author. It may name tables and columns.
  public let description: String

  /// Whether all that the action wrote is undone, so that no further statement runs.
  package var undoesAll: Bool {
    switch kind {
    case .constraint, .statement: false
    case .undone, .conflict, .tooSlow, .full, .unavailable: true
    }
  }

  /// Whether the session's owner has to find out what has become of the session in the store.
  package private(set) var isOfSession = false

  /// The database cannot be used, as the session is not in the store as its owner has it.
  package init(ofSession description: String) {
    self.init(.unavailable, description)
    isOfSession = true
  }

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
