// SPDX-License-Identifier: MIT
import Glibc

/// The address of a listener, and the limits for its clients.
public struct HTTPListenerConfiguration: Sendable {
  /// The address to listen at, in numbers, or a name that resolves to an address of this machine.
  public var host = "127.0.0.1"
  /// The port. With 0 the system chooses a free one, which `EuripusServer.port` tells after the start.
  public var port: UInt16 = 8080
  /// A socket that is bound and listens already, for example one that a supervisor keeps for several servers in
  /// turn; nil to open one at `host` and `port`. The listener owns it from then on.
  public var inheritedDescriptor: Int32?
  /// Threads that read requests and run the handler. More than one for each core are of no use.
  public var loops = HTTPListenerConfiguration.defaultLoops
  /// The number of engines in each loop. An engine is an instance of libmicrohttpd, the HTTP parser, and has a part of
  /// the loop's connections. The time to answer one waiting request grows with the number of waiting requests in its
  /// engine. With thousands of long polls, more engines make each answer cheaper. A number below 1 counts as 1.
  public var daemonsPerLoop = 8
  /// The longest request body handed to the handler, in bytes; a longer one is refused.
  public var maxBodyBytes = 65_536
  /// Gives the rule for the body of a request with this method and target; where it gives nil, `maxBodyBytes` holds. The
  /// listener calls it once for each request that has a body, on a loop's thread, so it must not block.
  package var bodyRule: (@Sendable (_ method: String, _ target: String) -> BodyRule?)?
  /// The longest request target, in bytes; a longer one is refused.
  public var maxTargetBytes = 4_096
  /// The most bytes of all header fields together, each counted as `name: value` and a line end. A request with
  /// more is refused.
  public var maxHeaderBytes = 6_144
  /// The most header fields. A request with one more is refused.
  public var maxHeaderFields = 64
  /// The most connections at once. One more is closed as soon as it is accepted. The default suits a process that may
  /// open 20,000 descriptors: a connection takes one, and a file that it is sent takes another. Where the process may
  /// open too few, an `EuripusServer` lowers the number and logs a warning.
  ///
  /// If a connection comes while more than 15/16 of the number are open, the listener closes idle ones, down to 7/8.
  /// It begins with connections on which no client has sent a known key or user, in the network that has the most
  /// connections. Above 15/16 it also closes such a connection after its answer. A connection counts as idle too if the
  /// server has closed it and the client has not. In each network up to six idle connections stay while they are less
  /// than a second old. Exempt connections (`isExemptFromAddressLimit`) stay.
  public var maxConnections = 9_900
  /// The most connections at once from one address, or from one /64 of IPv6. A /56 may have four times as many,
  /// a /48 sixteen times. One more is closed as soon as it is accepted.
  public var maxConnectionsPerAddress = 256
  /// The most handshakes of TLS at once. One more connection is closed as soon as it is accepted.
  public var maxHandshakes = 1_024
  /// The most handshakes of TLS at once from one address, or from one /64 of IPv6, with the same multiples for
  /// wider networks. One more connection is closed as soon as it is accepted. A browser begins six.
  public var maxHandshakesPerAddress = 16
  /// Says whether connections from an address, such as `192.0.2.1`, are exempt from `maxConnectionsPerAddress` and
  /// `maxHandshakesPerAddress`; nil if none are. A proxy's connections are an example, since it speaks for many
  /// clients. `maxConnections` and `maxHandshakes` hold even for exempt connections. The listener calls it once for
  /// each connection, on a loop's thread, so it must not block.
  ///
  /// An `EuripusServer` that has trusted proxies, or shares its store with other servers, replaces it: then the
  /// connections of these are exempt.
  public var isExemptFromAddressLimit: (@Sendable (_ peerAddress: String) -> Bool)?
  /// The time that a client may take to send a request's head, however it spreads the bytes. It runs from the
  /// head's first line on. For the first request it runs from the beginning of the connection, with the
  /// handshake of TLS. After it the connection is closed, up to a second later, as with the times below.
  public var headTimeout: Duration = .seconds(10)
  /// The time that a client may take to send a body, from the end of the head on.
  public var bodyTimeout: Duration = .seconds(15)
  /// The most time that a client may fall behind `minResponseRate` while it takes a response; then its connection is
  /// reset. A client that takes nothing is cut off after this time. A client that was faster than the rate before may
  /// pause for this time and no longer.
  public var responseTimeout: Duration = .seconds(30)
  /// The slowest rate at which a client may take a response, in bytes a second; at least 1.
  public var minResponseRate = 1_024
  /// The time for which the client of a streamed body may take none of the sent bytes. After it the connection
  /// is closed.
  public var streamStallTimeout: Duration = .seconds(30)
  /// The time for which a connection is kept without the first line of a request.
  public var idleTimeout: Duration = .seconds(75)
  /// The server's proof of its identity over TLS, 1.2 or 1.3; nil for plain HTTP.
  public var tls: TLSIdentity?
  /// The most connections that the system keeps ready until they are accepted.
  public var backlog: Int32 = 4_096
  /// Fields of the listener's own responses. A value with a control character is an error at the start.
  public var commonFields: [HTTPField] = []

  /// The time, by the system's clock, for which a listener that stops waits for the first request of a client that has
  /// connected: clients send it at once.
  package var firstRequestTime: Duration = .seconds(1)

  /// The clock of every deadline.
  package var clock = MonotonicClock.system

  /// Called for each request when it is given its response; a stream counts when it begins. It runs on the
  /// loop's thread and must not block.
  package var onExchange: (@Sendable (HTTPExchange) -> Void)?

  public init() {}

  /// - Parameters:
  ///   - host: The address to listen at.
  ///   - port: The port; 0 for any free one.
  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// One loop for each core, but two at most: the app needs the other cores.
  private static var defaultLoops: Int { max(1, min(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

/// The rule for the body of some requests.
package struct BodyRule: Sendable {
  /// The longest body, in bytes; nil for `maxBodyBytes`.
  package var limit: Int?
  /// Whether the handler reads the body while it comes: it is called when the head is there, and reads
  /// ``HTTPRequest/bodyStream``. The client may take as long as it sends at `minResponseRate` or faster. A reply's deadline
  /// holds for the time for which the handler's owner lets the client wait, and once more from the body's end on.
  package var isStreamed: Bool

  package init(limit: Int?, isStreamed: Bool) { (self.limit, self.isStreamed) = (limit, isStreamed) }
}
