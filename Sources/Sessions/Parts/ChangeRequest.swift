// SPDX-License-Identifier: MIT
package import Storing
import Synchronization
package import ViewModels

/// A request to change a session, from its arrival to its answer. It is one object, whether it waits for the
/// turn, for commands or for nothing.
package final class ChangeRequest: Sendable {
  package enum Wish: Sendable {
    /// - Parameters:
    ///   - changes: the changes, of which all or none are made. `nil` stands for one that is known to be
    ///     malformed; then none is made.
    ///   - isList: whether the frame has a list of results.
    ///   - since: the version that the frame starts at; `nil` for the version before the changes.
    ///   - ifMatch: the condition on the version of the whole state.
    ///   - values: by the changes' indices, the versions since which a value that is set must not have changed; empty
    ///     where no change has such a condition.
    case changes(
      [Change?], isList: Bool, since: Version?, ifMatch: Precondition?, values: [Precondition.Tags?] = [])
    case close(ifMatch: Precondition?)
  }

  /// The answer to a request that was not refused.
  package enum Outcome: Sendable {
    /// The frame with everything that has changed, and with the results.
    case frame(Message)
    /// A frame, and the new key of a client that has signed in or out. The key is handed over only here.
    ///
    /// - Parameter isLast: whether the session is not the client's any more, since it is its user's own.
    case signed(Message, newKey: String, isLast: Bool)
    /// The answer that the request got when it came before.
    case again(KeptAnswer)
    /// The request was decided before, but its answer is not known any more. The version is the present one.
    case decided(Version)
    /// The changes were made, but not all of their commands have succeeded, and the request asked for an error then. A
    /// client that has signed in or out gets its new key all the same.
    case failed(Refusal, newKey: String? = nil, isLast: Bool = false)
    case closed
  }

  /// A refusal in the form of the layer above.
  package struct Refusal: Sendable {
    package let error: any Error
    let kept: KeptAnswer?

    /// - Parameters:
    ///   - error: the error that answers the request.
    ///   - kept: the same answer, to be remembered with the request's key; `nil` for a refusal that decides
    ///     nothing.
    package init(_ error: any Error, kept: KeptAnswer?) {
      self.error = error
      self.kept = kept
    }
  }

  /// The request's wish, or its fault. A request with a key is refused in its turn, and once.
  let wish: Result<Wish, any Error>
  let key: KeyedRequest?
  let waitsForCommands: Bool
  let isMinimal: Bool
  let isStrict: Bool
  let mayRepeat: Bool
  let requester: Requester?
  let refusal: @Sendable (any Error) -> Refusal
  private let isTaken = Atomic(false)
  private let hasBeenStored = Atomic(false)

  /// - Parameters:
  ///   - waitsForCommands: whether the answer waits until the commands are over that the changes start.
  ///   - isMinimal: whether the answer leaves out what has changed. A client that follows the session is told that
  ///     anyway.
  ///   - isStrict: whether the answer is an error if a command has not succeeded that the changes start.
  ///   - mayRepeat: whether the request is handled anew if another transaction of the database came first.
  ///   - requester: the client; `nil` for none in particular.
  ///   - refusal: makes the client's answer from an error.
  package init(
    _ wish: Result<Wish, any Error>, key: KeyedRequest?, waitsForCommands: Bool = false,
    isMinimal: Bool = false, isStrict: Bool = false, mayRepeat: Bool = false, from requester: Requester? = nil,
    refusal: @escaping @Sendable (any Error) -> Refusal
  ) {
    self.wish = wish
    self.key = key
    self.waitsForCommands = waitsForCommands
    self.isMinimal = isMinimal
    self.isStrict = isStrict
    self.mayRepeat = mayRepeat
    self.requester = requester
    self.refusal = refusal
  }

  /// Takes the answer. It is called once, on any thread, when the answer may leave. With ``SessionError/left``,
  /// nothing was done because the session is not in memory any more.
  package typealias Answer = @Sendable (Result<Outcome, any Error>) -> Void

  /// Claims the decision on the request, which is either done or given up, never both.
  ///
  /// - Returns: whether the caller may decide. Only the first caller may.
  package func take() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }

  /// Whether its changes are stored, or those of the same request that came before; noted for one that waits for commands.
  var isStored: Bool { hasBeenStored.load(ordering: .acquiring) }
  func noteStored() { hasBeenStored.store(true, ordering: .releasing) }

  /// The version that the request's frame starts at.
  var since: Version? {
    if case .success(.changes(_, _, let since, _, _)) = wish { since } else { nil }
  }

  /// The changes; none if the request is malformed.
  var changes: [Change?] {
    if case .success(.changes(let changes, _, _, _, _)) = wish { changes } else { [] }
  }
}

extension ChangeRequest {
  /// A request whose answer nobody reads.
  ///
  /// - Parameter requester: the client; `nil` for none in particular.
  static func unheard(from requester: Requester? = nil) -> ChangeRequest {
    ChangeRequest(.failure(SessionError.closed), key: nil, from: requester) { Refusal($0, kept: nil) }
  }
}
