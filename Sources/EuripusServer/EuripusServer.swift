// SPDX-License-Identifier: MIT
import AtWork
import Dispatch
import Glibc
import HTTPListening
import Locking
import Logging
public import Metering
import Sessions
public import ViewModels

/// Hosts view models over HTTP (PROTOCOL.md).
///
/// ```swift
/// try EuripusServer([.hosting { LoginViewModel() }]).run()
/// ```
///
/// Its threads are its own: it serves until ``stop(within:)`` for as long as the program lives, which ``run(_:)`` sees to.
public final class EuripusServer: Sendable {
  let configuration: ServerConfiguration
  private let listener: HTTPListener
  let host: SessionHost
  private let readiness = Readiness()
  private let housekeeping = Locked<(any DispatchSourceTimer)?>(nil)

  /// - Parameter models: the view models to host, each with a name of its own.
  public init(_ models: [HostedModelType], configuration: ServerConfiguration = ServerConfiguration()) {
    var sessions = SessionHost.Configuration()
    sessions.idleTime = configuration.idleTime
    sessions.maxSessions = configuration.maxSessions
    sessions.commandLimit = configuration.commandLimit
    sessions.maxSessionsPerCredential = configuration.maxSessionsPerClient
    sessions.maxKeys = configuration.maxKeys
    sessions.maxKeyNames = configuration.maxKeyNames
    sessions.maxKeyBytes = configuration.maxKeyBytes
    sessions.maxWaitingPerCredential = configuration.maxPollsPerClient
    sessions.maxWaitingPerSession = configuration.maxPollsPerSession
    sessions.maxStateBytes = configuration.maxStateBytes
    let (rate, burst) = (configuration.actionsPerSecond, configuration.actionBurst)
    sessions.actionRate = rate == 0 ? nil : Rate(rate, per: .seconds(1), burst: burst)
    sessions.storage = configuration.storage
    sessions.durability = configuration.durability
    sessions.storedTime = configuration.storedTime
    sessions.metrics = configuration.metrics
    sessions.workNotes = configuration.workNotes
    let logger = configuration.logger
    let host = SessionHost(models, configuration: sessions, report: { logger.report($0) })
    var configuration = configuration
    // The URL that the server prints must be one that it takes.
    let isWildcard = configuration.host == "0.0.0.0" || configuration.host == "::"
    if !isWildcard { configuration.hostNames.append(Self.name(configuration.host)) }
    let application = Application(host: host, models: models, readiness: readiness, configuration: configuration)

    var listening = HTTPListenerConfiguration(host: configuration.host, port: configuration.port)
    if let loops = configuration.loops { listening.loops = loops }
    listening.maxBodyBytes = configuration.maxBodyBytes
    listening.streamStallTimeout = configuration.streamStall
    listening.maxConnections = configuration.maxConnections
    listening.maxConnectionsPerAddress = configuration.maxConnectionsPerAddress
    if !configuration.trustedProxies.isEmpty {
      listening.isExemptFromAddressLimit = { application.forwarding.trusts($0) }
    }
    listening.maxTargetBytes = configuration.maxTargetBytes
    listening.maxHeaderBytes = configuration.maxHeaderBytes
    listening.maxHeaderFields = configuration.maxHeaderFields
    listening.headTimeout = configuration.headTimeout
    listening.bodyTimeout = configuration.bodyTimeout
    listening.responseTimeout = configuration.responseTimeout
    listening.minResponseRate = configuration.minResponseRate
    listening.idleTimeout = configuration.connectionIdleTime
    listening.tls = configuration.tls
    listening.inheritedDescriptor = configuration.listeningDescriptor
    listening.commonFields = HTTPResponse.securityFields
    let meters = RequestMeters(in: configuration.metrics)
    let accessLog = AccessLog(configuration.logger, isWanted: configuration.logsRequests)
    listening.onExchange = { exchange in
      meters.count(exchange)
      accessLog?.write(exchange)
    }
    ProcessReadings.add(to: configuration.metrics)
    BuildReading.add(to: configuration.metrics)
    self.configuration = configuration
    self.host = host
    listener = HTTPListener(
      configuration: listening,
      onRefusal: { refusal, request in
        // As far as its fields were read.
        application.tell(request)
        return Problem(refusal).response
      }, handler: { application.answer($0) })
    ListenerReadings.add(of: listener, to: configuration.metrics)
  }

  /// Listens. Clients can connect when it returns.
  ///
  /// - Throws: an error whose text says which address could not be had, or which directory of static files or session store,
  ///   and why.
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
    try host.openStore(as: "process \(getpid())")
    do { try listener.start() } catch {
      closeStore(within: .zero)
      throw error
    }
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + .milliseconds(100), repeating: .milliseconds(100), leeway: .milliseconds(20))
    timer.setEventHandler { [host, logger = configuration.logger] in
      host.expire()
      for action in host.overdueActions() { logger.report(action) }
    }
    timer.resume()
    housekeeping.withLock { $0 = timer }
  }

  /// Opens no more sessions, and says so at `/readyz`, for whatever sends clients here; ends every stream of changes. All
  /// else goes on, and a new stream has what is newer and ends at once, until readers come back to another server.
  ///
  /// ``stop(within:)`` begins with it. There is no way back.
  public func drain() {
    readiness.drain()
    // After it: a stream that is still begun as one that lives is ended by this.
    listener.endStreams()
  }

  /// Stops: waiting polls are released, requests at work get their answer, and then the threads end.
  ///
  /// - Parameter grace: how long that may take.
  public func stop(within grace: Duration = .seconds(4)) {
    drain()
    let timer = housekeeping.withLock { timer in
      defer { timer = nil }
      return timer
    }
    timer?.cancel()
    listener.stop(within: grace)
    // What was answered is stored already; this is for what commands have written since.
    closeStore(within: .seconds(2))
  }

  private func closeStore(within patience: Duration) {
    let isClosed = DispatchSemaphore(value: 0)
    host.closeStore(within: patience) { isClosed.signal() }
    isClosed.wait()
  }

  /// The port that clients connect to.
  public var port: UInt16 { listener.port }

  /// Where to point a browser: the address listened on, or this machine's own where that is all of them.
  public var url: String {
    let host =
      switch configuration.host {
      case "0.0.0.0", "::": "127.0.0.1"
      case let host: Self.name(host)
      }
    return "\(configuration.tls == nil ? "http" : "https")://\(host):\(port)/"
  }

  /// An address as it stands in a URL.
  private static func name(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

  /// The names of the hosted view models, sorted.
  public var modelNames: [String] { host.modelNames }

  /// What the server counts, in Prometheus' text format at `/metrics`. It is a factory of swift-metrics, so an app can have
  /// its own and its libraries' metrics shown with them: `MetricsSystem.bootstrap(server.metrics)`.
  public var metrics: MetricRegistry { configuration.metrics }

  /// The number of living sessions.
  public var sessionCount: Int { host.count }
}
