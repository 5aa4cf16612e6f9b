// SPDX-License-Identifier: MIT
import Glibc

/// The address of a listener, and how much a client may take of it.
public struct HTTPListenerConfiguration: Sendable {
  /// The address to listen on: numeric, or a name that resolves to an address of this machine.
  public var host = "127.0.0.1"
  /// The port; 0 lets the system choose a free one (`HTTPListener.port` tells which).
  public var port: UInt16 = 8080
  /// A socket that is bound and listens already, as one that a supervisor keeps over the life of several servers; nil to open
  /// one at `host` and `port`. It is the listener's from then on.
  public var inheritedDescriptor: Int32?
  /// Threads that read requests and run the handler; one a core at most is useful.
  public var loops = HTTPListenerConfiguration.defaultLoops
  /// Engines a loop deals its connections to. Answering one waiting request costs time in proportion to the
  /// waiting requests of its engine, so with thousands of long polls more engines make each cheaper.
  public var daemonsPerLoop = 8
  /// The longest request body handed to the handler, in bytes; a longer one is refused.
  public var maxBodyBytes = 65_536
  /// The longest body of requests to some targets, where that is another than `maxBodyBytes`; nil if there are none. Asked
  /// once for each request that has a body, on a loop's thread, so it must not block.
  public var bodyLimit: (@Sendable (_ method: String, _ target: String) -> Int?)?
  /// The longest request target, in bytes; a longer one is refused.
  public var maxTargetBytes = 4_096
  /// The most that all header fields together may have, in bytes, each as `name: value` and a line end; more is refused.
  public var maxHeaderBytes = 6_144
  /// The most header fields; one more is refused.
  public var maxHeaderFields = 64
  /// Connections open at once; one more is closed as soon as it is accepted. By default as many as can be sent a file each by a
  /// process that may have 20,000 descriptors.
  public var maxConnections = 9_900
  /// Connections open at once from one address, or from one /64 of IPv6; one more is closed as soon as it is accepted.
  public var maxConnectionsPerAddress = 256
  /// Handshakes of TLS under way at once; one more connection is closed as soon as it is accepted.
  public var maxHandshakes = 1_024
  /// Handshakes of TLS under way at once from one address, or from one /64 of IPv6; one more connection is closed as soon as it
  /// is accepted. A browser begins six.
  public var maxHandshakesPerAddress = 16
  /// Whether connections from an address, in numbers as `HTTPRequest.peerAddress` has it, are exempt from
  /// `maxConnectionsPerAddress` and `maxHandshakesPerAddress`, as those of a proxy are, which speaks for many clients; nil if
  /// none are. Asked once for each connection, on a loop's thread, so it must not block. `maxConnections` and `maxHandshakes`
  /// hold for them too.
  public var isExemptFromAddressLimit: (@Sendable (_ peerAddress: String) -> Bool)?
  /// The time that a client may take to send a request head, however it spreads the bytes: from its first line on, and for
  /// the first request from the connection's beginning, the handshake of TLS included. Then the connection is closed,
  /// up to a second later, as with the times below.
  public var headTimeout: Duration = .seconds(10)
  /// The time that a client may take to send a body, from the end of its head on.
  public var bodyTimeout: Duration = .seconds(15)
  /// The time by which a client may be behind `minResponseRate` in taking a response: a time that it took ahead counts
  /// for no more than this, so a client that takes nothing is cut off after this time.
  public var responseTimeout: Duration = .seconds(30)
  /// The slowest rate at which a client may go on taking a response, in bytes a second; at least 1.
  public var minResponseRate = 1_024
  /// The time for which the client of a streamed body may take none of the bytes sent; then the connection is closed.
  public var streamStallTimeout: Duration = .seconds(30)
  /// The time for which a connection is kept without the first line of a request.
  public var idleTimeout: Duration = .seconds(75)
  /// The proof of oneself over TLS, 1.2 or 1.3; nil for plain HTTP.
  public var tls: TLSIdentity?
  /// Connections the system keeps ready until they are accepted.
  public var backlog: Int32 = 4_096
  /// Fields of the responses that the listener makes by itself. A value with a control character is an error at the start.
  public var commonFields: [HTTPField] = []

  /// The clock of every deadline.
  package var clock = MonotonicClock.system

  /// A closure that is told of each request that is given its response, a stream when it begins. It runs on the loop's
  /// thread and must not block.
  public var onExchange: (@Sendable (HTTPExchange) -> Void)?

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
