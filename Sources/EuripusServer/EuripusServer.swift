// SPDX-License-Identifier: MIT
import Dispatch
import HTTPListening
import Locking
import Sessions
public import ViewModels

/// Hosts view models over HTTP (PROTOCOL.md).
///
/// ```swift
/// let server = EuripusServer([LoginViewModel.self])
/// try server.start()
/// print(server.url)
/// ```
///
/// Its threads are its own; a server that was started runs until ``stop(within:)``.
public final class EuripusServer: Sendable {
  private let configuration: ServerConfiguration
  private let listener: HTTPListener
  private let host: SessionHost
  private let expiry = Locked<(any DispatchSourceTimer)?>(nil)

  /// - Parameter models: the types of view models to host, each with a name of its own.
  public init(_ models: [any ViewModel.Type], configuration: ServerConfiguration = ServerConfiguration()) {
    var sessions = SessionHost.Configuration()
    sessions.idleTime = configuration.idleTime
    sessions.maxSessions = configuration.maxSessions
    let host = SessionHost(models.map { HostedModelType($0) }, configuration: sessions)
    let application = Application(host: host, configuration: configuration)

    var listening = HTTPListenerConfiguration(host: configuration.host, port: configuration.port)
    if let loops = configuration.loops { listening.loops = loops }
    listening.maxBodyBytes = configuration.maxBodyBytes
    listening.maxConnections = configuration.maxConnections
    listening.commonFields = HTTPResponse.securityFields
    self.configuration = configuration
    self.host = host
    listener = HTTPListener(
      configuration: listening, onRefusal: { application.response(to: $0) }, handler: { application.answer($0) })
  }

  /// Listens. Clients can connect when it returns.
  ///
  /// - Throws: an error whose text says which address could not be had, and why.
  public func start() throws {
    try listener.start()
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.setEventHandler { [host] in host.expire() }
    timer.resume()
    expiry.withLock { $0 = timer }
  }

  /// Stops: waiting polls are released, requests at work get their answer, and then the threads end.
  ///
  /// - Parameter grace: how long that may take.
  public func stop(within grace: Duration = .seconds(4)) {
    let timer = expiry.withLock { timer in
      defer { timer = nil }
      return timer
    }
    timer?.cancel()
    listener.stop(within: grace)
  }

  /// The port that clients connect to.
  public var port: UInt16 { listener.port }

  /// Where to point a browser: the address listened on, or this machine's own where that is all of them.
  public var url: String {
    let host =
      switch configuration.host {
      case "0.0.0.0", "::": "127.0.0.1"
      case let host where host.contains(":"): "[\(host)]"
      case let host: host
      }
    return "http://\(host):\(port)/"
  }

  /// The names of the hosted view models, sorted.
  public var modelNames: [String] { host.modelNames }

  /// The number of living sessions.
  public var sessionCount: Int { host.count }
}
