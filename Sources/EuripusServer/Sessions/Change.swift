// SPDX-License-Identifier: MIT
import JSONPatching
import Sessions
import ViewModels

/// A change of a session that a request asks for (PROTOCOL §3, §4).
enum Change: Sendable {
  case perform(_ path: [String], _ value: JSON?, Conditions)
  case assign(_ path: [String], _ value: JSON, Conditions)
  case cancel(_ path: [String], Conditions)
  case batch(BatchBody, Conditions)

  /// Makes it in the session's turn.
  ///
  /// - Parameters:
  ///   - waiter: who waits for the commands that it starts, if anybody does.
  ///   - keyed: the request that asks for it, if that has a key.
  /// - Returns: its frame; `nil` if the waiter waits.
  func make(in session: isolated Session, _ waiter: ActionWaiter?, of keyed: KeyedRequest?) throws -> Message? {
    switch self {
    case .perform(let path, let value, let conditions):
      guard let waiter else { return try make(in: session) }
      return try session.perform(
        path, value, since: conditions.since, ifMatch: conditions.ifMatch, waiter: waiter, of: keyed)
    case .assign(let path, let value, let conditions):
      return try session.assign(path, value, since: conditions.since, ifMatch: conditions.ifMatch)
    case .cancel(let path, let conditions):
      return try session.cancel(path, since: conditions.since, ifMatch: conditions.ifMatch)
    case .batch(let batch, let conditions):
      let (since, ifMatch) = (conditions.since, conditions.ifMatch)
      if !batch.faults.isEmpty { throw batch.problem(try session.faults(of: batch.entries, ifMatch: ifMatch)) }
      do {
        return try session.perform(
          batch.entries.compactMap(\.self), since: since, ifMatch: ifMatch, waiter: waiter, of: keyed)
      } catch let refused as BatchRefused { throw batch.problem(refused) }
    }
  }

  /// The same when nobody waits.
  func make(in session: isolated Session) throws -> Message? {
    guard case .perform(let path, let value, let conditions) = self else {
      return try make(in: session, nil, of: nil)
    }
    // Most are of this kind, and go without the parts that they do not have.
    return try session.perform(path, value, since: conditions.since, ifMatch: conditions.ifMatch)
  }
}
