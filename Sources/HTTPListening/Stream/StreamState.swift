// SPDX-License-Identifier: MIT

/// The state between the owner of a streamed body and the connection that sends it, as a value: no lock, no socket.
///
/// The owner's events are `give` and `finish`, at any time and on any thread; the connection's are `fetch`, `wait`,
/// `wake` and `lose`, in its loop. At most one piece is here at a time, because the owner gives one only when asked.
struct StreamState<Reader> {
  private enum Phase {
    /// The connection sends the piece that it fetched; the owner is not asked.
    case sending
    /// The owner was asked for the next piece, and the connection is awake.
    case asked
    /// The owner was asked for the next piece, and the connection is suspended until it comes.
    case waiting(Reader)
    /// The next piece came and is not fetched.
    case given([UInt8])
    /// The rest came, after which there is nothing, and is not fetched.
    case ending([UInt8])
    /// The rest was fetched.
    case ended
    /// Nobody sends the owner's pieces any more.
    case lost
  }

  /// The step by which the connection goes on.
  enum Step: Equatable {
    case write([UInt8])
    /// Ask the owner, and fetch again.
    case ask
    /// The owner was asked and has not given anything: wait.
    case wait
    case end
  }

  private var phase = Phase.sending

  /// The connection has sent its piece.
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
    case .ended, .lost:
      return .end
    case .waiting:
      preconditionFailure("a suspended connection fetched: it has to be woken first")
    }
  }

  /// The connection is about to suspend itself.
  /// - Returns: False if there is something to fetch instead.
  mutating func wait(_ reader: Reader) -> Bool {
    switch phase {
    case .asked:
      phase = .waiting(reader)
      return true
    case .given, .ending, .ended, .lost:
      return false
    case .sending, .waiting:
      preconditionFailure("a connection suspended itself in phase \(phase): only one whose owner was asked waits")
    }
  }

  /// The connection goes on, whatever the reason.
  mutating func wake() {
    if case .waiting = phase { phase = .asked }
  }

  /// The owner gives the piece that it was asked for.
  /// - Returns: Whether it was taken, and the reader that is to be woken for it.
  mutating func give(_ piece: [UInt8]) -> (isTaken: Bool, wakes: Reader?) {
    switch phase {
    case .asked:
      phase = .given(piece)
      return (true, nil)
    case .waiting(let reader):
      phase = .given(piece)
      return (true, reader)
    case .ending, .ended, .lost:
      return (false, nil)
    case .sending, .given:
      preconditionFailure("a stream was given a piece that it had not asked for: at most one is unsent")
    }
  }

  /// The owner gives the rest, asked or not.
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
    case .ending, .ended, .lost:
      return (false, nil)
    }
  }

  /// The connection has gone, or goes without sending more.
  /// - Returns: Whether the owner does not know that the stream is over.
  mutating func lose() -> Bool {
    defer { phase = .lost }
    switch phase {
    case .sending, .asked, .waiting, .given: return true
    case .ending, .ended, .lost: return false
    }
  }
}
