// SPDX-License-Identifier: MIT
import Glibc

/// Where a listener listens and what it allows a client to take.
public struct HTTPListenerConfiguration: Sendable {
  /// The address to listen on: numeric, or a name that resolves to an address of this machine.
  public var host = "127.0.0.1"
  /// The port; 0 lets the system choose a free one (`HTTPListener.port` tells which).
  public var port: UInt16 = 8080
  /// Threads that read requests and run the handler; one a core at most is useful.
  public var loops = HTTPListenerConfiguration.defaultLoops
  /// Engines a loop deals its connections to. Answering one waiting request costs time in proportion to the
  /// waiting requests of its engine, so with thousands of long polls more engines make each cheaper.
  public var daemonsPerLoop = 8
  /// The longest request body handed to the handler, in bytes; a longer one is refused.
  public var maxBodyBytes = 65_536
  /// Memory of one connection for its request head and response head, in bytes. A head longer than about this is
  /// answered 414 or 431 by the engine.
  public var connectionMemoryBytes = 8_192
  /// Connections open at once; one more is closed as soon as it is accepted.
  public var maxConnections = 12_000
  /// Seconds without a byte after which a connection is closed. A request that waits for its reply does not count.
  public var idleTimeout: UInt32 = 75
  /// How long a client may take to send one request, however it spreads the bytes; then the connection is closed,
  /// at the latest after twice this time.
  public var requestTimeout: Duration = .seconds(30)
  /// How long the client of a streamed body may take nothing of what was sent; then the connection is closed.
  public var streamStallTimeout: Duration = .seconds(30)
  /// Connections the system keeps ready until they are accepted.
  public var backlog: Int32 = 4_096
  /// Fields that every response carries, those that the listener makes by itself included.
  public var commonFields: [HTTPField] = []

  public init() {}

  /// - Parameters:
  ///   - host: The address to listen on.
  ///   - port: The port; 0 for any free one.
  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// One a core, at most two: the rest of the cores is the application's.
  private static var defaultLoops: Int { max(1, min(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
