// SPDX-License-Identifier: MIT

/// The result of a call of `execute`.
public enum CommandStart: Sendable, Hashable {
  /// The operation was started; it may be over already.
  case started
  /// The operation will run when those before it are over.
  case queued
  /// Nothing has happened.
  case refused(CommandRefusal)
}
