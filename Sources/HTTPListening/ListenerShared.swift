// SPDX-License-Identifier: MIT
import Synchronization
import Locking

/// What the loops of one listener have in common.
final class ListenerShared: Sendable {
  let configuration: HTTPListenerConfiguration
  /// The configuration's times in nanoseconds.
  let requestNanoseconds: UInt64
  let idleNanoseconds: UInt64
  let streamStallNanoseconds: UInt64
  let socket: ListeningSocket
  let onRefusal: @Sendable (HTTPRefusal) -> HTTPResponse
  let handler: @Sendable (HTTPRequest) -> HTTPAnswer
  private let loops = Locked<[EventLoop]>([])
  private let dealt = Atomic<Int>(0)
  private let open = Atomic<Int>(0)

  init(
    configuration: HTTPListenerConfiguration, socket: ListeningSocket,
    onRefusal: @escaping @Sendable (HTTPRefusal) -> HTTPResponse,
    handler: @escaping @Sendable (HTTPRequest) -> HTTPAnswer
  ) {
    self.configuration = configuration
    requestNanoseconds = MonotonicClock.nanoseconds(configuration.requestTimeout)
    idleNanoseconds = UInt64(configuration.idleTimeout) * 1_000_000_000
    streamStallNanoseconds = MonotonicClock.nanoseconds(configuration.streamStallTimeout)
    self.socket = socket
    self.onRefusal = onRefusal
    self.handler = handler
  }

  /// Sets the loops to deal connections to; before any of them runs.
  func deal(to loops: [EventLoop]) { self.loops.withLock { $0 = loops } }

  /// The loop whose turn it is to get a connection.
  func nextLoop() -> EventLoop {
    let turn = dealt.wrappingAdd(1, ordering: .relaxed).oldValue
    return loops.withLock { $0[Int(UInt(bitPattern: turn) % UInt($0.count))] }
  }

  /// Counts a connection, unless there are as many as allowed.
  func admitsConnection() -> Bool {
    if open.wrappingAdd(1, ordering: .relaxed).oldValue < configuration.maxConnections { return true }
    connectionClosed()
    return false
  }

  /// Takes back what `admitsConnection()` counted.
  func connectionClosed() { open.wrappingSubtract(1, ordering: .relaxed) }
}
