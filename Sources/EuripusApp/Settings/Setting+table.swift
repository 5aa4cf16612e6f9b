// SPDX-License-Identifier: MIT
import Euripus
import ObservableCore

extension Setting {
  /// Every setting, in the order of the help and of `config`.
  static let table: [Setting] = common + operation + requests + sessions + clients

  /// The setting of a name. There has to be one.
  static func named(_ name: String) -> Setting {
    guard let setting = table.first(where: { $0.name == name }) else {
      stopProgram(bug: "no setting '\(name)' in the table")
    }
    return setting
  }

  private static let year: Int64 = 365 * 24 * 60 * 60

  /// The settings that operators most often set; the help shows them.
  private static let common: [Setting] = [
    .text(
      "host", \.server.listener.host, "address",
      "The address to listen on; 0.0.0.0 for all of this machine's, as where the variable PORT says the port"
    ).alsoRead(from: "PORT"),
    .number(
      "port", \.server.listener.port, 0...65_535,
      "The port to listen on; 0 for any that is free; that of the variable PORT, where nothing else says it"
    ).alsoRead(from: "PORT"),
    .texts(
      "host-name", \.server.hostNames, "name",
      "a name without scheme and port, such as app.example, 192.0.2.1 or [2001:db8::1]; or *",
      "A name by which clients reach the server, besides localhost, 127.0.0.1 and [::1]; * for each by which a trusted proxy is reached",
      where: ServerConfiguration.isHostName),
    .texts(
      "trusted-proxy", \.server.trustedProxies, "address",
      "an address in numbers or a range of them, such as 127.0.0.1 or 10.0.0.0/8",
      "The address of a proxy, or a range such as 10.0.0.0/8, that is believed about its clients",
      where: ServerConfiguration.isAddressRange),
    .text(
      "user-header", \.userHeader, "fields",
      "The field in which a trusted proxy names the user, such as X-Forwarded-User,name=X-Forwarded-Preferred-Username,groups=X-Forwarded-Groups"
    ),
    .text("public", \.server.publicDirectory, "directory", "The directory of the static files"),
    .text(
      "tls-cert", \.certificates, "file",
      "The file of the certificate, followed by its intermediate certificates, in PEM; by default plain HTTP is spoken"),
    .text("tls-key", \.privateKey, "file", "The file of the certificate's private key, in PEM"),
    .store,
    .text(
      "node-url", \.nodeURL, "URL",
      "Where the other servers that share the database reach this one, such as http://10.0.0.7:8080"),
    .administration,
    .decision("supervise", \.supervise, "Whether the server is started again when it crashes, at the same port"),
    .decision(
      "dev", \.server.isInDevelopment,
      "Whether pages help their author in the browser's console; only at a loopback address"),
    .choice("log-format", \.logFormat, "The form of the log's lines"),
    .choice("log-level", \.logLevel, "The least level that is logged"),
    .decision(
      "log-requests", \.server.log.hasRequests, "Whether each request is logged at level info; if not, at debug"),
  ]

  /// The settings about the process: how it runs, and how it stops.
  private static let operation: [Setting] = [
    .texts(
      "allow-origin", \.server.allowedOrigins, "origin",
      "an origin: a scheme, a host and a port that is not the scheme's own, such as https://app.example",
      "An origin of another site whose pages may use the server, such as https://app.example",
      where: ServerConfiguration.isOrigin),
    .text(
      "content-security-policy", \.server.contentSecurityPolicy.text, "directives",
      "The Content-Security-Policy of pages: the whole policy, as the field has it"),
    .number("loops", \.loops, 1...1_024, "Threads that serve; by default one a core, two at most"),
    .text(
      "crash-reports", \.crashReports, "directory",
      "The directory of the reports on crashes; by default \(ProgramName.current)/crashes in $XDG_STATE_HOME or ~/.local/state"
    ),
    .decision(
      "core-dumps", \.coreDumps,
      "Whether the system may write the memory of a server that dies to a file, secrets included"),
    .choice(
      "metrics", \.server.metrics.access,
      "The clients that may read /metrics: only those on this machine, not through a proxy; all; or none"),
    .seconds(
      "drain-time", \.server.drainTime, 0...3_600,
      "How long to serve on after a signal, while /readyz says that the server drains"),
    .seconds("stop-grace", \.server.stopGrace, 0...3_600, "How long requests at work may take when the server stops"),
  ]

  /// The limits of connections and requests.
  private static let requests: [Setting] = [
    .number(
      "max-connections", \.server.listener.maxConnections, "connections", 1...1_000_000, "Connections open at once"),
    .number(
      "max-connections-per-address", \.server.listener.maxConnectionsPerAddress, "connections", 1...1_000_000,
      "Connections open at once from one address, or from an IPv6 /64; four times as many from a /56, sixteen times from a /48"
    ),
    .seconds(
      "connection-idle", \.server.listener.idleTimeout, 1...86_400, "How long a connection is kept without a request"),
    .number(
      "max-header", \.server.listener.maxHeaderBytes, "bytes", 256...1_048_576,
      "The size limit of all header fields of a request together"),
    .number("max-body", \.server.listener.maxBodyBytes, "bytes", 1...16_777_216, "The longest body of a request"),
    .seconds(
      "head-time", \.server.listener.headTimeout, 1...3_600, "How long a client may take to send the head of a request"),
    .seconds(
      "body-time", \.server.listener.bodyTimeout, 1...3_600, "How long a client may take to send the body of a request"),
    .seconds(
      "response-time", \.server.listener.responseTimeout, 1...3_600,
      "How long a client may go without reading any of a response or a stream"
    ).also {
      $0.listener.streamStallTimeout = $0.listener.responseTimeout
    },
  ]

  /// The settings about sessions: how they are kept, and how many.
  private static let sessions: [Setting] = [
    .choice(
      "durability", \.server.sessions.durability,
      "The failures that an answered change of a session survives: none, a killed process, or a power cut as well"),
    .seconds(
      "stored-time", \.server.sessions.storedTime, 1...year, "How long a stored session lives without a request"),
    .number(
      "max-store", \.server.sessions.maxStoreBytes, "bytes", 1_048_576...1_125_899_906_842_624,
      "Room that all stored sessions may take, as it is counted; the file or the database takes up to twice as much"),
    .text(
      "uploads", \.server.sessions.uploadDirectory, "directory",
      """
      The directory of files that clients send, until an action takes them, and of those that sessions offer; by default \
      beside a store in a file, and otherwise a temporary one
      """),
    .number(
      "max-uploads", \.server.sessions.maxUploadBytes, "bytes", 1_048_576...1_125_899_906_842_624,
      """
      Room that all these files may take; what one client sends a quarter of it, what one network sends a half, what \
      sessions offer a half
      """),
    .seconds(
      "idle", \.server.sessions.idleTime, 1...year,
      "How long a session stays in memory without a request; one that is not stored ends then"),
    .number("max-sessions", \.server.sessions.maxSessions, "sessions", 1...10_000_000, "Sessions open at once"),
    .number(
      "max-memory", \.server.sessions.maxMemoryBytes, 1_048_576...1_099_511_627_776,
      "Bytes that all sessions in memory may take; by default half of the memory that the process may have"),
    .number(
      "max-state", \.server.sessions.maxStateBytes, "bytes", 64...1_073_741_824,
      "The longest state of one session, as JSON"),
  ]

  /// The limits of one client.
  private static let clients: [Setting] = [
    .number(
      "sessions-per-client", \.server.sessions.maxSessionsPerClient, "sessions", 1...1_000_000,
      "Sessions that one client has open at once; one more ends the one that it has not used for longest"),
    .rate(
      "openings-per-minute", \.server.sessions.openingRate, "openings", 0...1_000_000,
      """
      How often one client may open sessions, and from one address clients that have none, steadily, and how many at once; 0 \
      for as often as is wanted
      """),
    .rate(
      "actions-per-second", \.server.sessions.actionRate, "actions", 0...1_000_000,
      "How often requests may change the state of one session, on average, and twice as many at once; 0 for no limit"
    ),
    .milliseconds(
      "action-time", \.server.sessions.actionTime, 0...60_000,
      "How long the actions of one client may take in each second, on average; 0 for no limit"),
    .seconds(
      "command-limit", \.server.sessions.commandLimit, 1...3_600,
      "How long a command may take before it ends as timed out"),
    .number(
      "key-memory", \.server.sessions.maxKeyBytes, "bytes", 1_024...1_073_741_824,
      "The most memory of a session's idempotency keys, with the answers that are remembered"),
    .number(
      "polls-per-client", \.server.sessions.maxPollsPerClient, "polls", 1...65_536,
      "Polls and streams of one client that wait at once; a newer one takes the place of the oldest"
    ).also {
      $0.sessions.maxPollsPerSession = 2 * $0.sessions.maxPollsPerClient
    },
    .seconds(
      "stream-life", \.server.streams.life, 1...86_400, "How long a stream lasts before the client must reconnect"),
  ]
}
