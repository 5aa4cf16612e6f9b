// SPDX-License-Identifier: MIT
package import AtWork
import LineLogging
public import HTTPListening
public import Logging
public import Metering
public import Sessions
public import ViewModels

/// How a server listens, what it serves and what it allows.
public struct ServerConfiguration: Sendable {
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 for any that is free.
  public var port: UInt16 = 8080
  /// Names by which the server is reached, besides `localhost`, `127.0.0.1` and `[::1]`.
  public var hostNames: [String] = []
  /// Origins of other sites whose pages may use this server, as browsers send them: `https://app.example`.
  public var allowedOrigins: [String] = []
  /// Addresses of proxies, or ranges such as `10.0.0.0/8`, that are believed about their clients: their address, whether they
  /// speak TLS, and the name by which they call the server. Such a proxy sets either `Forwarded` (RFC 7239) or
  /// `X-Forwarded-For`, `-Proto` and `-Host`, and removes the others that a client sent.
  public var trustedProxies: [String] = []
  /// Where the static files are, relative to the current directory if it is not absolute; `nil` to serve none.
  public var publicDirectory: String?
  /// Threads that serve; `nil` for one a core, two at most.
  public var loops: Int?
  /// How long a session stays in memory without a request; one that is not stored ends then.
  public var idleTime: Duration = .seconds(30 * 60)
  public var maxSessions = 50_000
  /// Where sessions are kept over a restart; `nil` for nowhere: they end with the process. One server at a time has it.
  public var storage: SessionStorage?
  /// What an answer promises where there is a storage, for the view models that do not say it themselves.
  public var durability = Durability.relaxed
  /// How long a stored session lives without a request; with the next one it is back in memory.
  public var storedTime: Duration = .seconds(7 * 24 * 60 * 60)
  /// Sessions that one client has open at once.
  public var maxSessionsPerClient = 20
  /// Idempotency keys that a session remembers, names of numbered ones, and the bytes of both with their answers.
  public var maxKeys = 1_000
  public var maxKeyNames = 1_000
  public var maxKeyBytes = 262_144
  /// Polls and streams of one client, and in one session, that wait at once; a newer one takes the place of the oldest.
  public var maxPollsPerClient = 4
  public var maxPollsPerSession = 8
  /// How long a run of a command may take before its error is `timed-out`; to the second.
  public var commandLimit: Duration = .seconds(30)
  public var maxBodyBytes = 65_536
  /// How long nothing is sent in a stream of changes before a comment is, so that proxies see that it lives.
  public var streamHeartbeat: Duration = .seconds(15)
  /// How long a stream of changes lives; its reader comes back for another one.
  public var streamLife: Duration = .seconds(300)
  /// How long the reader of a stream may take nothing of what was sent, before its connection is closed.
  public var streamStall: Duration = .seconds(30)
  /// How long a reader waits before it comes back that has lost its stream; where the server ended it, from half of that to
  /// one and a half. To the millisecond.
  public var streamRetry: Duration = .seconds(2)
  public var maxConnections = 12_000
  /// Connections from one address, or one /64 of IPv6; one more is closed at once. Those of `trustedProxies`, which speak for
  /// many clients, are not counted so.
  public var maxConnectionsPerAddress = 256
  public var maxTargetBytes = 4_096
  /// The most that all header field lines of a request may have together.
  public var maxHeaderBytes = 16_384
  public var maxHeaderFields = 64
  /// How long a client may take for a request's head, from its first byte or the connection's beginning on.
  public var headTimeout: Duration = .seconds(10)
  /// How long a client may take for a body, from the end of its head on.
  public var bodyTimeout: Duration = .seconds(15)
  /// How long a client may take nothing of a response.
  public var responseTimeout: Duration = .seconds(30)
  /// The slowest rate at which a client may go on taking a response, in bytes a second, from 1: one that is behind it by
  /// more than `responseTimeout` is cut off.
  public var minResponseRate = 1_024
  /// How long a connection is kept without a request.
  public var connectionIdleTime: Duration = .seconds(75)
  /// What the server proves itself by over TLS; `nil` for plain HTTP.
  public var tls: TLSIdentity?
  /// How long a server that was told to stop by a signal goes on serving before it stops listening: `/readyz` says that it
  /// drains, no session is opened, and streams of changes end at once. What balances load must have noticed by then.
  public var drainTime: Duration = .zero
  /// How long requests at work may take when a signal has stopped the server.
  public var stopGrace: Duration = .seconds(4)
  /// Where to report what an operator should know; by default lines of text on the standard error. It gets no body,
  /// credential, cookie, query, secret or state, unless a view model puts one into the text of an error that it throws.
  public var logger = Logger(label: "euripus") { _ in LineLogHandler() }

  /// Whether each request is in the log at `info`; it is at `debug` if not. It says method, route, status, time, bytes and
  /// address.
  public var logsRequests = false
  /// How often requests may change the state of one session, steadily, and how many at once; 0 for as often as they come.
  public var actionsPerSecond = 100
  public var actionBurst = 200
  /// How often sessions may be opened from one address, steadily, and how many at once; 0 for as often as is wanted. The
  /// addresses of one IPv6 /64 are one.
  public var openingsPerMinute = 60
  public var openingBurst = 60
  /// What the state of one session may have, as JSON, in bytes.
  public var maxStateBytes = 1_048_576
  /// Who may read `/metrics`.
  public var metricsAccess = MetricsAccess.local
  /// The metrics of the server, to which an app may add its own; a server has its own unless it is given one. Two servers
  /// need two.
  public var metrics = MetricRegistry()

  /// A socket that listens already, which the process was given; `nil` to open one at `host` and `port`.
  package var listeningDescriptor: Int32?
  /// The process that started this one as the server, and passes on the signals that it gets; 0 for none.
  package var supervisor: Int32 = 0
  /// Where it is noted what is at work, if a supervisor is to know.
  package var workNotes: WorkNotes?

  public init() {}
}
