// SPDX-License-Identifier: MIT
public import Euripus
import Locking
import Logging

/// A server on a free port of this machine, in this process; it stops when it is let go of.
public final class TestServer: Sendable {
  private let server: EuripusServer
  private let lines: Locked<[String]>

  /// - Parameter configure: changes the configuration; the address and the log are set already, actions and openings are
  ///   as many as a test makes, and its clients may take as long as a test is held up.
  public init(
    _ models: [HostedModelType], configure: (inout ServerConfiguration) -> Void = { _ in }
  ) throws {
    let lines = Locked<[String]>([])
    var configuration = ServerConfiguration()
    configuration.listener.port = 0
    configuration.log.logger = Logger(label: "test") { _ in
      LineLogHandler(
        level: .debug,
        write: { line in
          // The lines of requests are for an observer alone.
          if !line.contains(" debug request ") { lines.withLock { $0.append(line) } }
          TestObservation.current?.log(line)
        })
    }
    configuration.sessions.actionRate = nil
    configuration.sessions.actionTime = nil
    configuration.sessions.openingRate = nil
    configuration.listener.headTimeout = .seconds(300)
    configuration.listener.bodyTimeout = .seconds(300)
    configuration.listener.idleTimeout = .seconds(300)
    configure(&configuration)
    self.lines = lines
    server = EuripusServer(models, configuration: configuration)
    try server.start()
  }

  deinit { server.stop() }

  public var port: UInt16 { server.port }
  package var administrationPort: UInt16 { server.administrationPort }
  public var url: String { server.url }
  public var sessionCount: Int { server.sessionCount }

  /// The lines that the server has logged so far.
  public var log: [String] { lines.withLock { $0 } }

  /// A client with a connection and a cookie of its own; it keeps the server.
  public func client() throws -> TestClient {
    let client = try TestClient(port: port)
    client.server = self
    return client
  }

  /// Has the listener look at its clock, where that is one that is moved by hand.
  package func timePassed() { server.timePassed() }

  public func drain() { server.drain() }

  public func stop() { server.stop() }
}
