// SPDX-License-Identifier: MIT
public import HTTPListening
public import Logging
public import Sessions
public import ViewModels

/// The configuration of a server: where it listens, what it serves and how much it allows.
///
/// ```swift
/// var configuration = ServerConfiguration()
/// configuration.listener.port = 8443
/// configuration.sessions.storage = .sqlite("/var/lib/app/sessions.db")
/// ```
public struct ServerConfiguration: Sendable {
  /// The address to listen at, and the limits of connections and requests.
  public var listener = HTTPListenerConfiguration()
  public var sessions = SessionConfiguration()
  /// The streams of changes.
  public var streams = StreamConfiguration()
  public var log = LogConfiguration()
  public var metrics = MetricsConfiguration()

  /// The directory of static files, relative to the current directory if it is not absolute; `nil` to serve none.
  public var publicDirectory: String?

  /// The app's own routes beside its view models, for example a hook for another server, a report or a check.
  public var routes: [AppRoute] = []
  /// The rules for pages in a browser: for the static files, the page of problems, and an app's routes.
  public var contentSecurityPolicy = ContentSecurityPolicy.strict

  /// Whether pages help their author in the browser's console. They then say which parts of their markup lead
  /// nowhere, and why a request was refused. This is only for a server that listens to its own machine. Any
  /// other server does not start with it.
  public var isInDevelopment = false

  /// The host names and addresses that the server accepts in `Host`, without a port. `localhost`, `127.0.0.1`, `[::1]`
  /// and `listener.host` (unless that means all addresses) are accepted as well. A request for any other host is answered
  /// `421`. The name `*` stands for each by which one of ``trustedProxies`` is reached; without such a proxy the server
  /// does not start with it.
  public var hostNames: [String] = []
  /// The origins of other sites whose pages may use this server, as browsers send them, such as
  /// `https://app.example`.
  public var allowedOrigins: [String] = []
  /// The addresses of trusted proxies, or ranges such as `10.0.0.0/8`. A trusted proxy is believed about a
  /// client's address, about its use of TLS, and about the name by which it calls the server. The proxy sets
  /// either `Forwarded` (RFC 7239), or `X-Forwarded-For`, `-Proto` and `-Host`. It removes the other fields if
  /// a client sent them. Its connections do not count for `listener.maxConnectionsPerAddress`.
  public var trustedProxies: [String] = []

  /// The fields in which a trusted proxy names the user; `nil` if no proxy does.
  public var userHeader: UserHeader?
  /// The app's own way to recognise the user of a request, by its cookies or a token of its own; `nil` if it
  /// has none. It is called off the loops. The user that it returns counts for half a minute for all requests
  /// with the same head.
  public var authenticate: (@Sendable (RequestHead) async throws -> User?)?
  /// The surroundings of each part of `authenticate`; `nil` for none.
  package var authenticateSurroundings: AppRoute.Surroundings?

  /// The place where operators see and end sessions, besides the clients' address; `nil` for none.
  public var administration: AdministrationPlace?

  /// The time for which a server still serves after a signal has told it to stop. Meanwhile `/readyz` says that
  /// it drains, no session is opened, and streams of changes end at once. A load balancer has to notice within
  /// this time.
  public var drainTime: Duration = .zero
  /// The time that open requests have to finish, from the end of ``drainTime`` on. Those that still wait then are answered
  /// `503`.
  public var stopGrace: Duration = .seconds(4)

  /// The process that started this one as the server and passes its signals on to it; 0 for none.
  package var supervisor: Int32 = 0
  /// Has all works done again that are refused since servers died over them. Without a supervisor none are.
  package var pardon: @Sendable () -> Void = {}

  public init() {}
}

/// The log of a server.
public struct LogConfiguration: Sendable {
  /// The logger for everything that an operator should know. By default it writes lines of text to the standard
  /// error. It gets no body, credential, cookie, query, secret or state, unless a view model puts one into the
  /// text of an error that it throws.
  public var logger = Logger(label: "euripus") { _ in LineLogHandler() }
  /// Whether each request is logged at `info` instead of `debug`. The line has the method, route, status, time,
  /// bytes and address, and in a session the client and the beginning of the session's id.
  public var hasRequests = false
  /// The level of the lines of requests; `nil` if the logger takes none of them.
  var levelOfRequests: Logger.Level? {
    let level: Logger.Level = hasRequests ? .info : .debug
    return logger.logLevel <= level ? level : nil
  }

  public init() {}
}

/// The metrics of a server.
public struct MetricsConfiguration: Sendable {
  /// The clients that may read `/metrics`.
  public var access = MetricsAccess.local
  /// The metrics, to which an app may add its own. By default a server has a registry of its own. Two servers
  /// cannot share one.
  public var registry = MetricRegistry()

  public init() {}
}

/// The times of streams of changes (PROTOCOL §5).
public struct StreamConfiguration: Sendable {
  /// The time without an event after which a comment is sent. By the comment, proxies see that the stream
  /// lives.
  public var heartbeat: Duration = .seconds(15)
  /// The life of a stream. After it the reader comes back for another one.
  public var life: Duration = .seconds(300)
  /// The pause before a reader that has lost its stream comes back. If the server ended the stream, the pause
  /// is between half of that and one and a half of it. To the millisecond.
  public var retry: Duration = .seconds(2)

  public init() {}

  /// The pause for a reader whose stream the server ends. It is scattered, so that readers that end together do
  /// not come back together.
  var scatteredRetry: Duration { retry * Double.random(in: 0.5...1.5) }
}
