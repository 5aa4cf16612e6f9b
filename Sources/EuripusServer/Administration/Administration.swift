// SPDX-License-Identifier: MIT
import HTTPListening
import Locking
import Logging
import Sessions

/// The listener for operators. It has its own routes, and no route of the listener for clients leads to them.
final class Administration: Sendable {
  private let place: AdministrationPlace
  private let application: Application
  private let logger: Logger
  private let running = Locked<(listener: HTTPListener, socket: LocalSocket?)?>(nil)

  /// - Parameter descriptions: the description of the operators' routes.
  init(
    _ place: AdministrationPlace, _ table: RouteTable, host: SessionHost, descriptions: Descriptions,
    readiness: Readiness, faults: StoreFaults, log: LogConfiguration
  ) {
    self.place = place
    logger = log.logger
    var configuration = ServerConfiguration()
    configuration.log = log
    if case .address(let host, _) = place { configuration.hostNames = [host.contains(":") ? "[\(host)]" : host] }
    application = Application(
      host: host, surfaces: [], table: table, descriptions: descriptions, readiness: readiness, faults: faults,
      models: [], configuration: configuration, takesTokens: false)
  }

  /// - Throws: ``ServerError/noAdministration(_:)``
  func start() throws(ServerError) {
    do throws(HTTPListeningError) {
      var configuration = HTTPListenerConfiguration()
      (configuration.loops, configuration.daemonsPerLoop, configuration.maxConnections) = (1, 1, 16)
      configuration.commonFields = HTTPResponse.ownFields
      var socket: LocalSocket?
      switch place {
      case .socket(let path):
        let own = try LocalSocket(at: path)
        configuration.inheritedDescriptor = own.descriptor
        socket = own
      case .address(let host, let port): (configuration.host, configuration.port) = (host, port)
      }
      let listener = HTTPListener(
        configuration: configuration, onRefusal: { refusal, _ in Problem(refusal).response },
        unanswered: Problem.unanswered.response, handler: { [application] in application.answer($0) })
      running.withLock { $0 = (listener, socket) }
      try listener.start()
    } catch {
      throw .noAdministration(error)
    }
    var place = place
    if case .address(let host, _) = place { place = .address(host: host, port: port) }
    logger.info("operators are served", metadata: ["at": "\(place)"])
  }

  func stop(within grace: Duration) {
    let running = running.withLock { running in
      defer { running = nil }
      return running
    }
    // The file is removed before the listener ends, so that another server that is started at once finds none.
    running?.socket?.remove()
    running?.listener.stop(within: grace)
  }

  /// The port; 0 for a Unix socket.
  var port: UInt16 { running.withLock { $0?.listener.port } ?? 0 }
}
