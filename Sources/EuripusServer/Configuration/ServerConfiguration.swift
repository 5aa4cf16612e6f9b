// SPDX-License-Identifier: MIT
public import HTTPListening
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
  /// The address, and how much connections and requests may take.
  public var listener = HTTPListenerConfiguration()
  public var sessions = SessionConfiguration()
  /// The streams of changes.
  public var streams = StreamConfiguration()
  public var log = LogConfiguration()
  public var metrics = MetricsConfiguration()

  /// The directory of static files, relative to the current directory if it is not absolute; `nil` to serve none.
  public var publicDirectory: String?

  /// Routes of the app's own, beside its view models: a hook for another server, a report, a check.
  public var routes: [AppRoute] = []
  /// The rules for pages in a browser: of the static files, of the page of problems, and of an app's routes.
  public var contentSecurityPolicy = ContentSecurityPolicy.strict

  /// Whether pages help their author in the browser's console: it says which parts of their markup lead nowhere, and why
  /// a request was refused. For a server that listens to its own machine alone; another does not start.
  public var isInDevelopment = false

  /// Names by which the server is reached, besides `localhost`, `127.0.0.1` and `[::1]`.
  public var hostNames: [String] = []
  /// Origins of other sites whose pages may use this server, as browsers send them: `https://app.example`.
  public var allowedOrigins: [String] = []
  /// Addresses of proxies, or ranges such as `10.0.0.0/8`, that are believed about their clients: their address, whether they
  /// speak TLS, and the name by which they call the server. Such a proxy sets either `Forwarded` (RFC 7239) or
  /// `X-Forwarded-For`, `-Proto` and `-Host`, and removes the others that a client sent. Its connections do not count for
  /// `listener.maxConnectionsPerAddress`.
  public var trustedProxies: [String] = []

  /// The fields by which a trusted proxy says who the user is; `nil` if none does.
  public var userHeader: UserHeader?
  /// The app's own way to know the user of a request, by its cookies or a token of its own; `nil` if it has none. Called
  /// off the loops; the user that it returns counts for half a minute for all requests with the same head.
  public var authenticate: (@Sendable (RequestHead) async throws -> User?)?

  /// The place where operators see and end sessions, beside the address of clients; `nil` for nowhere.
  public var administration: AdministrationPlace?

  /// The time for which a server goes on serving that was told to stop by a signal, before it stops listening:
  /// `/readyz` says that it drains, no session is opened, and streams of changes end at once. A load balancer must have
  /// noticed by then.
  public var drainTime: Duration = .zero
  /// The time that requests at work may take when a signal has stopped the server.
  public var stopGrace: Duration = .seconds(4)

  /// The process that started this one as the server, and passes on the signals that it gets; 0 for none.
  package var supervisor: Int32 = 0

  public init() {}
}
