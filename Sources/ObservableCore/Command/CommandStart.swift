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

/// The reason why a command did not take an input.
public enum CommandRefusal: Sendable, Hashable, CustomStringConvertible {
  /// The observable that is its condition is false.
  case disabled
  /// A run is executing, and the policy is `.refuse` (S1-3).
  case executing
  /// The queue is full: as many inputs wait as the policy allows.
  case queueFull(limit: Int)
  /// Its graph was closed.
  case closed

  public var description: String {
    switch self {
    case .disabled: "its condition is false"
    case .executing: "it is executing, and its policy is to refuse"
    case .queueFull(let limit): "\(limit) inputs wait already"
    case .closed: "its graph was closed"
    }
  }
}
