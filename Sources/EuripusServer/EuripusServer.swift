// SPDX-License-Identifier: MIT
import Dispatch
import Glibc
import HTTPListening
import Locking
import Logging
import ObservableCore
import Sessions
import Storing
package import ViewModels

/// Hosts view models over HTTP (PROTOCOL.md).
///
/// ```swift
/// EuripusServer([.hosting { LoginViewModel() }]).run()
/// ```
///
/// It has its own threads. It serves until ``stop(within:)``, for as long as the program lives; ``run(_:)``
/// keeps the program alive.
public final class EuripusServer: Sendable {
  /// The version of Euripus, as in CHANGELOG.md.
  public static let version = "0.1.0"

  let configuration: ServerConfiguration
  private let listener: HTTPListener
  private let administration: Administration?
  let host: SessionHost
  private let readiness = Readiness()
  /// The first of the app's routes or pages that cannot be served.
  private let routeFault: ServerError?
  private let runner: RouteRunner
  private let authenticator: Authenticator?
  let work: BackgroundWork
  private let housekeeping = Locked<(any DispatchSourceTimer)?>(nil)

  /// - Parameters:
  ///   - models: the view models to host, each with a name of its own.
  ///   - describe: makes the OpenAPI descriptions from the surfaces and the routes.
  package init(
    _ models: [HostedModelType], configuration: ServerConfiguration,
    describe: (_ surfaces: [SurfaceDescription], RouteTable) -> Descriptions
  ) {
    var configuration = configuration
    work = BackgroundWork(configuration.log.logger)
    let (logger, registry) = (configuration.log.logger, configuration.metrics.registry)
    let faults = StoreFaults(logger)
    let wanted = configuration.listener.maxConnections
    let (connections, descriptors) = Descriptors.connections(
      wanted: wanted, sendsFiles: configuration.publicDirectory != nil)
    configuration.listener.maxConnections = connections
    // Other sessions have connections left, however many are in one room.
    let most = min(configuration.sessions.maxReadersOfRoom, max(1, connections * 3 / 4))
    configuration.sessions.maxReadersOfRoom = most
    configuration.sessions.takesProofs = configuration.userHeader != nil || configuration.authenticate != nil
    let host = SessionHost(
      models, configuration: configuration.sessions,
      wayElsewhere: { RoomElsewhere(nodes: $0, place: $1, model: $2, user: $3, isGone: $4) },
      report: { logger.report($0, id: faults.id(of: $0)) })
    // The server must accept the URL that it prints.
    let address = configuration.listener.host
    if address != "0.0.0.0", address != "::" { configuration.hostNames.append(Self.name(address)) }
    let surfaces = models.map(\.description).sorted { $0.name < $1.name }
    let table: RouteTable
    do throws(ServerError) {
      table = try .with(configuration.routes, pagesOf: models, isInDevelopment: configuration.isInDevelopment)
      routeFault = nil
    } catch { (table, routeFault) = (.all, error) }
    let application = Application(
      host: host, surfaces: surfaces, table: table, descriptions: describe(surfaces, .all), readiness: readiness,
      faults: faults, models: models, configuration: configuration)
    runner = application.runner
    authenticator = application.callers.authenticator
    let (isSecure, takesFiles) = (configuration.listener.tls != nil, surfaces.contains(where: \.takesFiles))
    let longestFile = takesFiles ? configuration.sessions.maxUploadBytes / 4 : nil
    configuration.listener.bodyRule = table.bodyRule(isSecure: isSecure, ofFile: longestFile)
    if !configuration.trustedProxies.isEmpty || host.isNode {
      configuration.listener.isExemptFromAddressLimit = { [callers = application.callers] in
        callers.forwarding.trusts($0) || callers.peers.has($0)
      }
    }
    configuration.listener.commonFields += HTTPResponse.ownFields
    let meters = RequestMeters(of: table, in: registry)
    let accessLog = AccessLog(configuration.log, of: table)
    configuration.listener.onExchange = { exchange in
      meters.count(exchange)
      accessLog?.write(exchange)
    }
    if connections < wanted {
      logger.warning(
        "fewer connections than are set: the process may have too few descriptors open",
        metadata: [
          "connections": .stringConvertible(connections), "set": .stringConvertible(wanted),
          "descriptors": .stringConvertible(descriptors),
          "remedy": "a higher limit of open files, as by ulimit -n or LimitNOFILE",
        ])
    }
    if let directory = configuration.publicDirectory {
      HostedPage.warn(ofMissingPagesOf: models, in: directory, logger)
    }
    SessionReadings.add(of: host, to: registry)
    ProcessReadings.add(to: registry)
    BuildReading.add(Self.version, to: registry)
    self.configuration = configuration
    self.host = host
    let listener = HTTPListener(
      configuration: configuration.listener,
      onRefusal: { refusal, request in
        // The request has only the fields that were read before the refusal.
        application.tell(request)
        return Problem(refusal).response
      }, unanswered: Problem.unanswered.response, handler: { application.answer($0) })
    self.listener = listener
    ListenerReadings.add(of: listener, to: registry)
    administration = configuration.administration.map { [readiness] place in
      let table = RouteTable.administration(drain: { Self.drain(readiness, listener) }, pardon: configuration.pardon)
      return Administration(
        place, table, host: host, descriptions: describe([], table), readiness: readiness, faults: faults,
        log: configuration.log)
    }
  }

  /// Starts to listen. When it returns, clients can connect.
  ///
  /// - Throws: an error whose text names the fault: the address, the directory of static files, the route or
  ///   the session store that cannot be had, and why.
  public func start() throws { try start {} }

  /// Starts as ``start()`` does.
  ///
  /// - Parameter prepare: called when the session store is open, before the server listens.
  /// - Throws: as ``start()``, or the error of `prepare`.
  package func start(_ prepare: () throws -> Void) throws {
    if let directory = configuration.publicDirectory, !StaticFiles.exists(directory) {
      throw ServerError.noSuchDirectory(directory)
    }
    if let directory = configuration.sessions.uploadDirectory, !host.spool.canBeWritten {
      throw ServerError.noSuchDirectory(directory)
    }
    if let bad = configuration.allowedOrigins.first(where: { !CrossSite.isOrigin($0) }) {
      throw ServerError.notAnOrigin(bad)
    }
    if let bad = configuration.trustedProxies.first(where: { AddressRange($0) == nil }) {
      throw ServerError.notAnAddress(bad)
    }
    if configuration.userHeader != nil, configuration.trustedProxies.isEmpty {
      throw ServerError.userHeaderWithoutProxy
    }
    if configuration.hostNames.contains(CrossSite.anyOfProxy), configuration.trustedProxies.isEmpty {
      throw ServerError.anyHostWithoutProxy
    }
    if let fault = configuration.contentSecurityPolicy.fault {
      throw ServerError.notAPolicy(configuration.contentSecurityPolicy.text, fault: fault)
    }
    if configuration.isInDevelopment, !ServerConfiguration.isOwnMachine(configuration.listener.host) {
      throw ServerError.developmentInPublic(configuration.listener.host)
    }
    if case .address(let host, _) = configuration.administration, !ServerConfiguration.isOwnMachine(host) {
      throw ServerError.administrationInPublic(host)
    }
    if let routeFault { throw routeFault }
    HeapTrimming.limitArenas()
    try host.openStore(as: "process \(getpid())")
    do {
      try prepare()
      try administration?.start()
      try listener.start()
    } catch {
      _ = work.stop(within: .seconds(1))
      administration?.stop(within: .zero)
      closeStore(within: .zero)
      throw error
    }
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + .milliseconds(100), repeating: .milliseconds(100), leeway: .milliseconds(20))
    let trimming = Locked(HeapTrimming(now: .now, resident: ProcessMemory.resident()))
    let crowd = Locked(CrowdWatch())
    let uploads = Locked(Recurrence(every: .seconds(60), from: host.now()))
    let offers = Locked(Recurrence(every: .seconds(3_600), from: host.now()))
    timer.setEventHandler { [host, authenticator, listener, logger = configuration.log.logger] in
      host.expire()
      host.nodeClient?.giveUp(allTo: host.goneNodes)
      authenticator?.forget()
      trimming.withLock { $0.tend(.now) }
      if uploads.withLock({ $0.isDue(host.now()) }) {
        DispatchQueue.global().async { host.expireUploads(after: .seconds(UploadPlace.secondsKept)) }
      }
      if offers.withLock({ $0.isDue(host.now()) }) { DispatchQueue.global().async { host.dropUnoffered() } }
      for action in host.overdueActions() { logger.report(action) }
      if let news = crowd.withLock({ $0.news(listener.counts, at: .now) }) {
        logger.report(crowd: news.closed, news.counts)
      }
    }
    timer.resume()
    housekeeping.withLock { $0 = timer }
  }

  /// Signs a user out of all clients, for example when an account is closed. The clients' credentials and
  /// sessions end, and so do the user's own sessions (`scope: .user`).
  ///
  /// - Returns: the number of sessions that have ended.
  /// - Throws: an error whose text says why the session store cannot be used. The user's sessions in memory have ended
  ///   even then, but the store may still have credentials and sessions of the user.
  @discardableResult
  public func signOut(userWithID id: String) async throws -> Int {
    try await Task(executorPreference: host.executor) { [host] in try await host.end(allOf: id) }.value
  }

  /// Reads the certificate and the private key of TLS again, if the configuration has files. Clients that
  /// connect from now on get the new ones. Existing connections go on.
  ///
  /// - Throws: an error whose text says what is wrong with the files. The earlier certificate and key stay in
  ///   use.
  public func reloadIdentity() throws { try listener.reloadIdentity() }

  /// Drops the files of uploads that nobody has taken in a time since their last byte. The server does so by itself.
  package func expireUploads(after time: Duration) { host.expireUploads(after: time) }
  package func dropUnoffered() -> Task<Void, Never> { host.dropUnoffered() }

  /// Makes the listener look at its clock, if that clock is moved by hand.
  package func timePassed() { listener.timePassed() }

  /// Prepares the server's end, so that clients can go to another server. From now on the server answers `503` at
  /// `/readyz`, by which a proxy sends new clients elsewhere, and refuses to open sessions (`503`). It ends every
  /// stream of changes. If a reader opens a stream here again, the server sends the changes so far and ends the stream.
  /// It answers all other requests as before.
  ///
  /// ``stop(within:)`` does this first. It cannot be undone.
  public func drain() { Self.drain(readiness, listener) }

  private static func drain(_ readiness: Readiness, _ listener: HTTPListener) {
    readiness.drain()
    // The streams end after that, so that this also ends a stream that begins at this moment as if the server
    // went on.
    listener.endStreams()
  }

  /// Stops the server: it answers waiting polls and open requests, and closes the session store. Blocks until then. A
  /// server that was stopped cannot be started again.
  ///
  /// Do not call it on a thread that serves requests, as the code of a view model may run on: that ends the program.
  ///
  /// - Parameter grace: the time for open requests. Those of operators have as long after that, and closing the store takes
  ///   up to 2 seconds more.
  public func stop(within grace: Duration = .seconds(4)) {
    if listener.isOwnThread {
      stopProgram(
        "the server was stopped by code that it runs", expected: "a thread that the server does not need to end",
        remedy: "stop it from another thread, such as a task's: 'Task.detached { server.stop() }'")
    }
    drain()
    if !work.stop(within: grace) {
      configuration.log.logger.warning("work in the background goes on, though its task was cancelled")
    }
    // This comes before the listener stops, which other servers take for this server's end.
    host.answerNoMoreFromMemory()
    listener.stop(within: grace)
    // Until here it gives signs of life, so that other servers leave it the sessions that it is at work on.
    let timer = housekeeping.withLock { timer in
      defer { timer = nil }
      return timer
    }
    timer?.cancel()
    administration?.stop(within: grace)
    runner.cancelAll()
    host.nodeClient?.stop()
    // Everything that was answered is stored already. This is for values that commands have written since.
    closeStore(within: .seconds(2))
  }

  private func closeStore(within patience: Duration) {
    let isClosed = DispatchSemaphore(value: 0)
    host.closeStore(within: patience) { isClosed.signal() }
    isClosed.wait()
  }

  /// The port that clients connect to.
  public var port: UInt16 { listener.port }

  /// The port that operators connect to; 0 for a Unix socket, and if operators are not served.
  package var administrationPort: UInt16 { administration?.port ?? 0 }

  /// The URL for a browser, with the host that the server listens at, or with 127.0.0.1 if it listens at all
  /// addresses.
  public var url: String {
    let host =
      switch configuration.listener.host {
      case "0.0.0.0", "::": "127.0.0.1"
      case let host: Self.name(host)
      }
    return "\(configuration.listener.tls == nil ? "http" : "https")://\(host):\(port)/"
  }

  /// The form of an address in a URL.
  private static func name(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

  /// The names of the hosted view models, sorted.
  public var modelNames: [String] { host.modelNames }

  /// The metrics of the server, which `/metrics` has in Prometheus' text format. They are a factory of
  /// swift-metrics. An app can add the metrics of its own and of its libraries by
  /// `MetricsSystem.bootstrap(server.metrics)`.
  public var metrics: MetricRegistry { configuration.metrics.registry }

  /// The number of living sessions.
  public var sessionCount: Int { host.count }
}
