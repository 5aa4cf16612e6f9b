// SPDX-License-Identifier: MIT
import Dispatch
import Glibc
import HTTPListening
import Locking
import Logging
import Sessions
package import ViewModels

/// Hosts view models over HTTP (PROTOCOL.md).
///
/// ```swift
/// EuripusServer([.hosting { LoginViewModel() }]).run()
/// ```
///
/// Its threads are its own: it serves until ``stop(within:)`` for as long as the program lives, which ``run(_:)`` sees to.
public final class EuripusServer: Sendable {
  let configuration: ServerConfiguration
  private let listener: HTTPListener
  private let administration: Administration?
  let host: SessionHost
  private let readiness = Readiness()
  /// The first of the app's routes that cannot be served.
  private let routeFault: ServerError?
  private let runner: RouteRunner
  private let nodes: NodeClient?
  private let authenticator: Authenticator?
  private let housekeeping = Locked<(any DispatchSourceTimer)?>(nil)

  /// - Parameters:
  ///   - models: the view models to host, each with a name of its own.
  ///   - describe: makes the OpenAPI descriptions from their surfaces and from the routes.
  package init(
    _ models: [HostedModelType], configuration: ServerConfiguration,
    describe: (_ surfaces: [SurfaceDescription], RouteTable) -> Descriptions
  ) {
    var configuration = configuration
    let (logger, registry) = (configuration.log.logger, configuration.metrics.registry)
    let faults = StoreFaults(logger)
    configuration.sessions.takesProofs = configuration.userHeader != nil || configuration.authenticate != nil
    let host = SessionHost(
      models, configuration: configuration.sessions, report: { logger.report($0, id: faults.id(of: $0)) })
    // The URL that the server prints must be one that it takes.
    let address = configuration.listener.host
    if address != "0.0.0.0", address != "::" { configuration.hostNames.append(Self.name(address)) }
    let surfaces = models.map(\.description).sorted { $0.name < $1.name }
    let table: RouteTable
    do throws(ServerError) {
      table = try .with(configuration.routes, pagesOf: models)
      routeFault = nil
    } catch { (table, routeFault) = (.all, error) }
    let application = Application(
      host: host, surfaces: surfaces, table: table, descriptions: describe(surfaces, .all), readiness: readiness,
      faults: faults, rootPage: models.lazy.compactMap(\.page).first { $0.path == "/" },
      configuration: configuration)
    runner = application.runner
    authenticator = application.authenticator
    configuration.listener.bodyLimit = table.bodyLimit(isSecure: configuration.listener.tls != nil)
    if !configuration.trustedProxies.isEmpty || host.isNode {
      configuration.listener.isExemptFromAddressLimit = {
        application.forwarding.trusts($0) || application.peers.has($0)
      }
    }
    nodes = application.nodes
    configuration.listener.commonFields += HTTPResponse.ownFields
    let meters = RequestMeters(of: table, in: registry)
    let accessLog = AccessLog(logger, isWanted: configuration.log.hasRequests, of: table)
    configuration.listener.onExchange = { exchange in
      meters.count(exchange)
      accessLog?.write(exchange)
    }
    let wanted = configuration.listener.maxConnections
    let (connections, descriptors) = Descriptors.connections(
      wanted: wanted, sendsFiles: configuration.publicDirectory != nil)
    configuration.listener.maxConnections = connections
    if connections < wanted {
      logger.warning(
        "fewer connections than are set: the process may have too few descriptors open",
        metadata: [
          "connections": .stringConvertible(connections), "set": .stringConvertible(wanted),
          "descriptors": .stringConvertible(descriptors),
          "remedy": "a higher limit of open files, as by ulimit -n or LimitNOFILE",
        ])
    }
    SessionReadings.add(of: host, to: registry)
    ProcessReadings.add(to: registry)
    BuildReading.add(to: registry)
    self.configuration = configuration
    self.host = host
    let listener = HTTPListener(
      configuration: configuration.listener,
      onRefusal: { refusal, request in
        // As far as its fields were read.
        application.tell(request)
        return Problem(refusal).response
      }, unanswered: Problem.unanswered.response, handler: { application.answer($0) })
    self.listener = listener
    ListenerReadings.add(of: listener, to: registry)
    administration = configuration.administration.map { [readiness] place in
      let table = RouteTable.administration { Self.drain(readiness, listener) }
      return Administration(
        place, table, host: host, descriptions: describe([], table), readiness: readiness, faults: faults,
        log: configuration.log)
    }
  }

  /// Listens. Clients can connect when it returns.
  ///
  /// - Throws: an error whose text says which address could not be had, or which directory of static files, route or session
  ///   store, and why.
  public func start() throws {
    if let directory = configuration.publicDirectory, !StaticFiles.exists(directory) {
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
      try administration?.start()
      try listener.start()
    } catch {
      administration?.stop(within: .zero)
      closeStore(within: .zero)
      throw error
    }
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + .milliseconds(100), repeating: .milliseconds(100), leeway: .milliseconds(20))
    let trimming = Locked(HeapTrimming(now: .now, resident: ProcessMemory.resident()))
    timer.setEventHandler { [host, nodes, authenticator, logger = configuration.log.logger] in
      host.expire()
      nodes?.giveUp(allTo: host.goneNodes)
      authenticator?.forget()
      trimming.withLock { $0.tend(.now) }
      for action in host.overdueActions() { logger.report(action) }
    }
    timer.resume()
    housekeeping.withLock { $0 = timer }
  }

  /// Signs a user out of all clients, as for an account that is closed: their credentials and their sessions end, and so do
  /// the user's own sessions (`scope: .user`).
  ///
  /// - Returns: how many sessions have ended.
  /// - Throws: `SessionError`, if that cannot be stored; the sessions in memory have ended then.
  @discardableResult
  public func signOut(userWithID id: String) async throws -> Int {
    try await withCheckedThrowingContinuation { done in host.end(allOf: id) { done.resume(with: $0) } }
  }

  /// Reads the certificate and the private key of TLS again, where the configuration has files: a client that connects
  /// from now on gets the new ones, and connections that exist go on.
  ///
  /// - Throws: an error whose text says what is wrong with them: those before are given on.
  public func reloadIdentity() throws { try listener.reloadIdentity() }

  /// Has the listener look at its clock, where that is one that is moved by hand.
  package func timePassed() { listener.timePassed() }

  /// Opens no more sessions, and says so at `/readyz`, for a proxy that sends clients here; ends every stream of changes.
  /// All else goes on, and a new stream has the newer frames and ends at once, until readers come back to another server.
  ///
  /// ``stop(within:)`` begins with it. There is no way back.
  public func drain() { Self.drain(readiness, listener) }

  private static func drain(_ readiness: Readiness, _ listener: HTTPListener) {
    readiness.drain()
    // After it: a stream that is still begun as one that lives is ended by this.
    listener.endStreams()
  }

  /// Stops: waiting polls are released, requests at work get their answer, and then the threads end.
  ///
  /// - Parameter grace: how long that may take.
  public func stop(within grace: Duration = .seconds(4)) {
    drain()
    // Before nobody listens any more, which others take for its end.
    host.answerNoMoreFromMemory()
    listener.stop(within: grace)
    // Until then it gives signs, so that other servers leave it the sessions that it is at work on.
    let timer = housekeeping.withLock { timer in
      defer { timer = nil }
      return timer
    }
    timer?.cancel()
    administration?.stop(within: grace)
    runner.cancelAll()
    nodes?.stop()
    // All that was answered is stored already; this is for values that commands have written since.
    closeStore(within: .seconds(2))
  }

  private func closeStore(within patience: Duration) {
    let isClosed = DispatchSemaphore(value: 0)
    host.closeStore(within: patience) { isClosed.signal() }
    isClosed.wait()
  }

  /// The port that clients connect to.
  public var port: UInt16 { listener.port }

  /// The port that operators connect to; 0 where that is a Unix socket, or nowhere.
  package var administrationPort: UInt16 { administration?.port ?? 0 }

  /// The URL for a browser: that of the address listened on, or of this machine where that is all addresses.
  public var url: String {
    let host =
      switch configuration.listener.host {
      case "0.0.0.0", "::": "127.0.0.1"
      case let host: Self.name(host)
      }
    return "\(configuration.listener.tls == nil ? "http" : "https")://\(host):\(port)/"
  }

  /// An address as it stands in a URL.
  private static func name(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

  /// The names of the hosted view models, sorted.
  public var modelNames: [String] { host.modelNames }

  /// The metrics of the server, in Prometheus' text format at `/metrics`. It is a factory of swift-metrics, so an app can have
  /// its own and its libraries' metrics shown with them: `MetricsSystem.bootstrap(server.metrics)`.
  public var metrics: MetricRegistry { configuration.metrics.registry }

  /// The number of living sessions.
  public var sessionCount: Int { host.count }
}
