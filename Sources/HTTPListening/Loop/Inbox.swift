// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc
import Locking

/// The notices of other threads to a loop. It wakes the loop only if that sleeps.
// @unchecked Sendable: the descriptor never changes; the rest is behind the lock.
final class Inbox: @unchecked Sendable {
  enum Notice {
    /// A connected socket, which its taker closes, and the tally that counted it.
    case connection(Int32, PeerAddress, AddressKey)
    /// The proof that connections give of themselves from now on.
    case identity(LoadedIdentity)
    case answer(Connection, DeferredReply, DeferredReply.Outcome)
    /// The stream has something for its connection.
    case wake(Connection, HTTPStream)
    /// End every stream.
    case endStreams
    /// The clock was moved by hand.
    case timePassed
    /// Stop, at the latest at this time of `MonotonicClock`.
    case stop(by: UInt64)
  }

  private struct State {
    var notices: [Notice] = []
    /// Set by the loop before it waits, cleared by the thread that wakes it.
    var isAsleep = false
    /// The loop has ended; nothing is taken any more.
    var isClosed = false
  }

  /// Becomes readable when a sleeping loop has to look.
  let descriptor: Int32
  private let state = Locked(State())

  init() throws(HTTPListeningError) {
    descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard descriptor >= 0 else {
      throw .systemRefused(what: "eventfd", reason: String(cString: strerror(errno)))
    }
  }

  // Not when the loop ends: a late answer may still write to it.
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

  /// Swaps every notice out for `notices`, which must be empty and may bring its capacity.
  func take(_ notices: inout [Notice]) {
    state.withLock { state in
      state.isAsleep = false
      swap(&state.notices, &notices)
    }
  }

  /// - Returns: False if there are notices, and the loop must not sleep.
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
