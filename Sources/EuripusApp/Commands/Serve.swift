// SPDX-License-Identifier: MIT
import ArgumentParser
import Dispatch
import Euripus
import Glibc
import Locking
import Logging
import Sessions

/// `serve`: hosts the view models of the app until a signal ends it.
struct Serve<App: EuripusApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "serve", abstract: "Serves until SIGINT or SIGTERM.",
      discussion: """
        Prints the URL to open once it can be opened. With TLS, SIGHUP reloads the certificate and its key; with \
        --supervise and --store, it replaces the server by the program that is at its path by then. Each option can also \
        be set by the environment variable that its help names; the option overrides it. PORT and DATABASE_URL, which hosting \
        platforms set, count after these: with PORT alone it listens on all addresses. \
        Exit status: 0 after a signal, 1 if it cannot listen or another server \
        has the store, 64 for an invalid setting, 65 for a store that cannot be read.
        """)
  }

  @OptionGroup(title: "Options of this program")
  var app: App

  @OptionGroup
  var options: SettingOptions

  mutating func validate() throws {
    try options.helpIfAsked(App.self, with: Self.self)
    let resolved = try options.resolved(for: app)
    let settings = resolved.values
    if (settings.certificates == nil) != (settings.privateKey == nil) {
      let given = settings.certificates == nil ? "key" : "certificate"
      throw ValidationError(
        "--tls-cert and --tls-key belong together: expected both or neither, got the \(given) alone")
    }
    for (name, path) in [("tls-cert", settings.certificates), ("tls-key", settings.privateKey)] {
      guard let path, let reason = Self.whyUnreadable(path) else { continue }
      throw ValidationError("\(resolved.place(name)): cannot read '\(path)': \(reason); expected a file in PEM")
    }
    if let text = settings.userHeader {
      guard UserHeader(text) != nil else {
        throw ValidationError(
          "\(resolved.place("user-header")): '\(text)' names no fields; expected the field of the user's id, and after commas "
            + "those of name=, groups= and further claims, such as X-Forwarded-User,groups=X-Forwarded-Groups")
      }
      if settings.server.trustedProxies.isEmpty {
        throw ValidationError(
          "\(resolved.place("user-header")): no proxy is trusted to name the user; expected the proxy's address: --trusted-proxy"
        )
      }
    }
    if settings.server.hostNames.contains("*"), settings.server.trustedProxies.isEmpty {
      throw ValidationError("\(resolved.place("host-name")): \(ServerError.anyHostWithoutProxy)")
    }
    if let fault = settings.store?.fault {
      let place = resolved.place("store")
      let remedy = place == "DATABASE_URL" ? "; EURIPUS_STORE counts more than DATABASE_URL" : ""
      throw ValidationError("\(place): \(fault)\(remedy)")
    }
    if let url = settings.nodeURL {
      if settings.store.map({ $0.file != nil }) ?? true {
        throw ValidationError(
          "\(resolved.place("node-url")): there is no store that servers share; expected the URL of a PostgreSQL database: --store"
        )
      }
      guard ServerConfiguration.isOrigin(url) else {
        throw ValidationError(
          "\(resolved.place("node-url")) is no URL of a server; expected a scheme, a host and a port, such as "
            + "http://10.0.0.7:8080")
      }
    }
    if settings.server.isInDevelopment, !ServerConfiguration.isOwnMachine(settings.server.listener.host) {
      throw ValidationError(
        "\(resolved.place("dev")): pages of a server at '\(settings.server.listener.host)' are not to help their visitors; "
          + "expected a host of this machine alone, such as 127.0.0.1")
    }
    guard let directory = settings.server.publicDirectory else { return }
    guard access("\(directory)/.", R_OK | X_OK) == 0 else {
      let reason = String(cString: strerror(errno))
      throw ValidationError(
        "\(resolved.place("public")): cannot read the directory '\(directory)': \(reason); expected that of the static files"
      )
    }
  }

  /// The reason why a file cannot be read; `nil` if it can.
  private static func whyUnreadable(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return String(cString: strerror(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    return String(cString: strerror(EISDIR))
  }

  func run() throws {
    let resolved = try options.resolved(for: app)
    let settings = resolved.values
    if !settings.coreDumps {
      var none = rlimit(rlim_cur: 0, rlim_max: 0)
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }
    let logger = AppLog.begin(settings)
    do {
      if let supervised = try Supervised.begin() {
        try serve(resolved, logger, supervised)
      } else if settings.supervise {
        DevelopmentServer.endWithAuthor()
        throw try Supervising(settings, logger).run()
      } else {
        try serve(resolved, logger, nil)
      }
    } catch let code as ExitCode { throw code } catch {
      var isTaken = false
      if case HTTPListeningError.addressInUse = error { isTaken = true }
      StandardError.complain("\(error)\(isTaken ? " (--port says which)" : "")")
      throw ExitCode(EuripusServer.exitStatus(of: error))
    }
  }

  /// - Parameter supervised: the things that a supervisor has handed over; `nil` without a supervisor.
  private func serve(_ resolved: ResolvedSettings, _ logger: Logger, _ supervised: Supervised?) throws {
    let settings = resolved.values
    for unknown in UnknownVariables.find(in: ProcessEnvironment.variables) { Self.warn(unknown, logger) }
    var configuration = settings.server
    if let loops = settings.loops { configuration.listener.loops = loops }
    configuration.log.logger = logger
    if let certificates = settings.certificates, let key = settings.privateKey {
      configuration.listener.tls = TLSIdentity(certificates: .file(certificates), privateKey: .file(key))
    }
    configuration.listener.inheritedDescriptor = supervised?.listeningDescriptor
    configuration.supervisor = supervised?.supervisor ?? 0
    if let address = settings.store {
      if let path = address.file { try StateDirectory.make(containing: path) }
      guard let storage = address.storage(nodeURL: settings.nodeURL) else {
        stopProgram(bug: "a store was not validated that this program cannot use")
      }
      configuration.sessions.storage = storage
      configuration.sessions.migrations = App.migrations
    }
    if let text = settings.userHeader { configuration.userHeader = UserHeader(text) }
    if let app = app as? any AuthenticatingApp {
      configuration.authenticate = { try await app.authenticate($0) }
      if let supervised { configuration.watchAuthenticate(supervised.notes) }
    }
    if let supervised { configuration.pardon = { supervised.pardon() } }
    // It comes before any code of the app: the server that still runs may hold files open that this code opens.
    supervised?.awaitTurn()
    if case .socket(let path) = configuration.administration { try StateDirectory.make(containing: path) }
    let routes = try app.routes
    configuration.routes += supervised.map { supervised in routes.map { $0.watched(supervised.notes) } } ?? routes
    if configuration.isInDevelopment { configuration.routes.append(DevelopmentServer.route) }
    let models = try app.hostedModels()
    let count = models.count
    let server = EuripusServer(
      supervised.map { supervised in models.map { $0.watched(supervised.notes) } } ?? models,
      configuration: configuration)
    try server.serve(prepare: { try Self.done { try await app.start(server) } }) { url in
      supervised?.isReady()
      // If this server takes another one's place, the supervisor tells it.
      if supervised?.isFirst != false {
        let everywhere = resolved.place("host") == "PORT" ? " (PORT is set, so on all addresses)" : ""
        StandardOutput.write("Euripus is serving \(count) view model\(count == 1 ? "" : "s") on \(url)\(everywhere)")
        if let storage = configuration.sessions.storage, configuration.sessions.durability > .memory {
          logger.info("sessions are kept over a restart", metadata: ["store": "\(storage.description)"])
        }
      }
    }
    try Self.done { await app.stop() }
    supervised?.hasStopped()
  }

  /// Waits on this thread for code of the app.
  private static func done(_ body: @escaping @Sendable () async throws -> Void) throws {
    let isOver = DispatchSemaphore(value: 0)
    let result = Locked<Result<Void, any Error>>(.success(()))
    Task.detached {
      do { try await body() } catch { result.withLock { $0 = .failure(error) } }
      isOver.signal()
    }
    isOver.wait()
    try result.withLock(\.self).get()
  }

  private static func warn(_ unknown: (name: String, nearest: String?), _ logger: Logger) {
    var metadata: Logger.Metadata = ["variable": "\(unknown.name)"]
    if let nearest = unknown.nearest { metadata["nearest"] = "\(nearest)" }
    logger.warning("a variable of the environment is no setting", metadata: metadata)
  }
}
