// SPDX-License-Identifier: MIT
import Synchronization
public import ViewModels

/// A request to change a session, from its arrival to its answer: one object, whether it waits for the turn, for commands or
/// for nothing.
public final class ChangeRequest: Sendable {
  public enum Wish: Sendable {
    /// - Parameters:
    ///   - changes: All or none are made; `nil` for one that is known to be malformed, with which none is.
    ///   - isList: Whether the frame is to have a list of results.
    ///   - since: The version that the frame starts at; `nil` for the one before the changes.
    case changes([Change?], isList: Bool, since: Version?, ifMatch: Precondition?)
    case close(ifMatch: Precondition?)
  }

  /// The answer to a request that was not refused.
  public enum Outcome: Sendable {
    /// The frame with all that has changed, and the results.
    case frame(Message)
    /// The same, and the new key of the client that has signed in, or out: to be handed over this once.
    case signed(Message, newKey: String)
    /// The answer that the request got when it came before.
    case again(KeptAnswer)
    /// It was decided before, and its answer is not known any more. The version is the present one.
    case decided(Version)
    case closed
  }

  /// A refusal as the layer above has it.
  public struct Refusal: Sendable {
    let error: any Error
    let kept: KeptAnswer?

    /// - Parameters:
    ///   - error: What the request is answered.
    ///   - kept: The same, to be remembered with the request's key; `nil` for a refusal that decides nothing.
    public init(_ error: any Error, kept: KeptAnswer?) {
      self.error = error
      self.kept = kept
    }
  }

  /// The wish of the request, or what is wrong with it: a request with a key is refused in its turn, and once.
  let wish: Result<Wish, any Error>
  let key: KeyedRequest?
  let waitsForCommands: Bool
  let requester: Requester?
  let refusal: @Sendable (any Error) -> Refusal
  private let isTaken = Atomic(false)

  /// - Parameters:
  ///   - waitsForCommands: Whether the answer is to wait until the commands are over that the changes start.
  ///   - requester: The client; `nil` for none in particular.
  ///   - refusal: Makes an answer for the client of an error.
  public init(
    _ wish: Result<Wish, any Error>, key: KeyedRequest?, waitsForCommands: Bool = false,
    from requester: Requester? = nil, refusal: @escaping @Sendable (any Error) -> Refusal
  ) {
    self.wish = wish
    self.key = key
    self.waitsForCommands = waitsForCommands
    self.requester = requester
    self.refusal = refusal
  }

  /// Takes the answer: called once, on some thread, when it may leave. The ``SessionError/left`` says that nothing was done
  /// because the session is not in memory any more.
  public typealias Answer = @Sendable (Result<Outcome, any Error>) -> Void

  /// Decides the fate of the request: it is either done or given up, never both.
  ///
  /// - Returns: Whether that is the caller's to decide: the first one's.
  public func take() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }

  /// The version that its frame is to start at.
  var since: Version? {
    if case .success(.changes(_, _, let since, _)) = wish { since } else { nil }
  }

  /// The changes, as far as they are known.
  var changes: [Change?] {
    if case .success(.changes(let changes, _, _, _)) = wish { changes } else { [] }
  }
}

/// The request whose commands are waited for, and those that were sent again meanwhile.
struct CommandWait {
  /// The first that came.
  let request: ChangeRequest
  /// The readers that get the answer. With a key they may all have gone: the request is answered all the same, for the
  /// client that comes again.
  var readers: [(request: ChangeRequest, answer: ChangeRequest.Answer)]
  let key: KeyedRequest?
  let since: Version
  var results: ActionResults
  /// The runs that are not over.
  var runs: Set<UInt64>
  /// All that are waited for, those that are over included.
  let allRuns: Set<UInt64>
}
