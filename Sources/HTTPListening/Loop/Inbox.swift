// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc
import Locking

/// The notices of other threads to a loop. The inbox wakes the loop only if that sleeps.
// @unchecked Sendable: the descriptor never changes, and the rest is behind the lock.
final class Inbox: @unchecked Sendable {
  enum Notice {
    /// A connected socket, which the loop that takes it closes, and the key by which it is counted.
    case connection(Int32, PeerAddress, AddressKey)
    /// The identity that connections show from now on.
    case identity(LoadedIdentity)
    case answer(Connection, DeferredReply, DeferredReply.Outcome)
    /// The stream has something for its connection.
    case wake(Connection, HTTPStream)
    /// The bytes of a body that its connection waits for have been read.
    case bodyRead(Connection, IncomingBody)
    /// End every stream.
    case endStreams
    /// The clock was moved by hand.
    case timePassed
    /// Stop, no later than at this time of `MonotonicClock`.
    case stop(by: UInt64)
  }

  private struct State {
    var notices: [Notice] = []
    /// Set by the loop before it waits, cleared by the thread that wakes it.
    var isAsleep = false
    /// Set when the loop has ended. No notice is taken any more.
    var isClosed = false
  }

  /// It becomes readable when a sleeping loop has to look.
  let descriptor: Int32
  private let state = Locked(State())

  init() throws(HTTPListeningError) {
    descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard descriptor >= 0 else {
      throw .systemRefused(what: "eventfd", reason: String(cString: strerror(errno)))
    }
  }

  // It is not closed when the loop ends, since a late answer may still write to it.
  deinit { Glibc.close(descriptor) }

  /// - Returns: False if the loop has ended.
  func post(_ notice: Notice) -> Bool {
    let (taken, wakes) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.notices.append(notice)
      let wakes = state.isAsleep
      state.isAsleep = false
      return (true, wakes)
    }
    if wakes { eventfd_write(descriptor, 1) }
    return taken
  }

  /// Swaps all notices out into `notices`, which must be empty. Its capacity is used for the next ones.
  func take(_ notices: inout [Notice]) {
    state.withLock { state in
      state.isAsleep = false
      swap(&state.notices, &notices)
    }
  }

  /// - Returns: False if there are notices, so that the loop must not sleep.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.notices.isEmpty
      return state.isAsleep
    }
  }

  /// - Returns: The notices that were left.
  func close() -> [Notice] {
    state.withLock { state in
      state.isClosed = true
      let left = state.notices
      state.notices = []
      return left
    }
  }
}
