// SPDX-License-Identifier: MIT

/// The fate of an `execute` while the command is executing.
public enum CommandPolicy: Sendable, Hashable {
  /// It is refused (S1-3).
  case refuse
  /// It runs after those before it; beyond `limit` that wait it is refused, so that a client cannot fill the memory.
  case queue(limit: Int = 16)
  /// The running one is cancelled, and it runs.
  case latest
}
