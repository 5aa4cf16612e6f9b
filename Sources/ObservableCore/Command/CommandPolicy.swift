// SPDX-License-Identifier: MIT

/// The fate of an `execute` while the command is executing.
public enum CommandPolicy: Sendable, Hashable {
  /// The input is refused (S1-3).
  case refuse
  /// The input runs after those before it. If `limit` inputs wait already it is refused, so that a client
  /// cannot fill the memory.
  case queue(limit: Int = 16)
  /// The executing run is cancelled, and the input runs.
  case latest
}
