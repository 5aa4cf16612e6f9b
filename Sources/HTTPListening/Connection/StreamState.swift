// SPDX-License-Identifier: MIT

/// The state between the owner of a streamed body and the connection that sends it. A value, without a lock and
/// a socket.
///
/// The owner's events are `give` and `finish`, at any time and on any thread. The connection's events are
/// `fetch`, `wait`, `wake` and `lose`, in its loop. There is at most one piece at a time, since the owner gives
/// one only when it is asked.
struct StreamState<Reader> {
  private enum Phase {
    /// The connection sends the piece that it has fetched. The owner is not asked.
    case sending
    /// The owner was asked for the next piece, and the connection is awake.
    case asked
    /// The owner was asked for the next piece, and the connection is suspended until it comes.
    case waiting(Reader)
    /// The next piece came, and is not fetched yet.
    case given([UInt8])
    /// The rest came and is not fetched yet. Nothing follows it.
    case ending([UInt8])
    /// The rest was fetched.
    case ended
    /// The owner cannot finish. The reader must not take what it has for the whole body.
    case broken
    /// The connection does not send the owner's pieces any more.
    case lost
  }

  /// The next step of the connection.
  enum Step: Equatable {
    case write([UInt8])
    /// Ask the owner, and fetch again.
    case ask
    /// The owner was asked and has given nothing yet: wait.
    case wait
    case end
    /// Close the connection without an end of the body.
    case breakOff
  }

  private var phase = Phase.sending

  /// Gives the next step to a connection that has sent its piece.
  mutating func fetch() -> Step {
    switch phase {
    case .sending:
      phase = .asked
      return .ask
    case .asked:
      return .wait
    case .given(let piece):
      phase = .sending
      return .write(piece)
    case .ending(let rest):
      phase = .ended
      return rest.isEmpty ? .end : .write(rest)
    case .broken: return .breakOff
    case .ended, .lost:
      return .end
    case .waiting:
      preconditionFailure("a suspended connection fetched: it has to be woken first")
    }
  }

  /// Notes that the connection is about to suspend itself.
  /// - Returns: False if there is something to fetch instead.
  mutating func wait(_ reader: Reader) -> Bool {
    switch phase {
    case .asked:
      phase = .waiting(reader)
      return true
    case .given, .ending, .ended, .broken, .lost:
      return false
    case .sending, .waiting:
      preconditionFailure("a connection suspended itself in phase \(phase): only one whose owner was asked waits")
    }
  }

  /// Notes that the connection goes on, for any reason.
  mutating func wake() {
    if case .waiting = phase { phase = .asked }
  }

  /// Takes the piece that the owner was asked for.
  /// - Returns: Whether it was taken, and the reader that has to be woken for it.
  mutating func give(_ piece: [UInt8]) -> (isTaken: Bool, wakes: Reader?) {
    switch phase {
    case .asked:
      phase = .given(piece)
      return (true, nil)
    case .waiting(let reader):
      phase = .given(piece)
      return (true, reader)
    case .ending, .ended, .broken, .lost:
      return (false, nil)
    case .sending, .given:
      preconditionFailure("a stream was given a piece that it had not asked for: at most one is unsent")
    }
  }

  /// Takes the rest from the owner, asked or not.
  /// - Returns: As `give`.
  mutating func finish(_ rest: [UInt8]) -> (isTaken: Bool, wakes: Reader?) {
    switch phase {
    case .sending, .asked:
      phase = .ending(rest)
      return (true, nil)
    case .given(let piece):
      phase = .ending(piece + rest)
      return (true, nil)
    case .waiting(let reader):
      phase = .ending(rest)
      return (true, reader)
    case .ending, .ended, .broken, .lost:
      return (false, nil)
    }
  }

  /// Breaks the body off, asked or not. What was given and not fetched is dropped.
  /// - Returns: The reader that has to be woken for it.
  mutating func breakOff() -> Reader? {
    switch phase {
    case .ending, .ended, .broken, .lost: return nil
    case .sending, .asked, .given:
      phase = .broken
      return nil
    case .waiting(let reader):
      phase = .broken
      return reader
    }
  }

  /// Notes that the connection has gone, or goes without sending more.
  /// - Returns: Whether the owner does not know yet that the stream is over.
  mutating func lose() -> Bool {
    defer { phase = .lost }
    switch phase {
    case .sending, .asked, .waiting, .given: return true
    case .ending, .ended, .broken, .lost: return false
    }
  }
}
