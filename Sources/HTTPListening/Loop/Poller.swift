// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// One epoll descriptor, and the events of its last wait.
final class Poller {
  /// The events of a descriptor that the poller tells.
  enum Interest {
    /// While the descriptor is readable.
    case readable
    /// While the descriptor is readable. If several pollers watch it, only one is told.
    case readableForOne
    /// Each time that the descriptor becomes readable. An eventfd that is watched like this need not be read.
    case becomingReadable
    /// Once, when the other side has closed. See `rearm`.
    case hangUp
  }

  private static let capacity = 256
  private let descriptor: Int32
  private var events = [epoll_event](repeating: epoll_event(), count: capacity)

  init() throws(HTTPListeningError) {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else {
      throw .systemRefused(what: "epoll_create1", reason: String(cString: strerror(errno)))
    }
  }

  deinit { close(descriptor) }

  /// - Returns: False if the system refused, with errno set.
  func add(_ watched: Int32, _ interest: Interest, tag: UInt64) -> Bool {
    let mask =
      switch interest {
      case .readable: EPOLLIN.rawValue
      case .readableForOne: EPOLLIN.rawValue | EPOLLEXCLUSIVE.rawValue
      case .becomingReadable: EPOLLIN.rawValue | EPOLLET.rawValue
      case .hangUp: EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue
      }
    var event = epoll_event(events: mask, data: epoll_data_t(u64: tag))
    return epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event) == 0
  }

  /// Tells the other side's closing once more, if it was told before.
  func rearm(_ watched: Int32, tag: UInt64) {
    var event = epoll_event(events: EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue, data: epoll_data_t(u64: tag))
    _ = epoll_ctl(descriptor, EPOLL_CTL_MOD, watched, &event)
  }

  func remove(_ watched: Int32) { _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, watched, nil) }

  /// Waits for events.
  /// - Parameter milliseconds: The longest wait; 0 for none, -1 for one without end.
  /// - Returns: The number of tags that `tag(at:)` has; 0 if interrupted.
  func wait(_ milliseconds: Int32) -> Int {
    max(0, Int(epoll_wait(descriptor, &events, Int32(Self.capacity), milliseconds)))
  }

  func tag(at index: Int) -> UInt64 { events[index].data.u64 }
}
