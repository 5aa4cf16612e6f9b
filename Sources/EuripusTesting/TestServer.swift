// SPDX-License-Identifier: MIT
public import Euripus
import Locking
import Logging

/// A server on a free port of this machine, in this process. It stops when the object is released.
public final class TestServer: Sendable {
  /// The server, as for the `start` of an app.
  public let server: EuripusServer
  private let lines: Locked<[String]>

  /// - Parameter configure: changes the configuration. The address and the log are set already. A test may make
  ///   any number of actions and openings, and its clients may be slow.
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
          // The lines about requests are for an observer alone.
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

  /// A client with a connection and a cookie of its own; it keeps the server alive.
  public func client() throws -> TestClient {
    let client = try TestClient(port: port)
    client.server = self
    return client
  }

  /// Makes the listener look at its clock, if the test moves that by hand.
  package func timePassed() { server.timePassed() }

  /// Signs a user out of all clients. Returns the number of sessions that have ended.
  @discardableResult
  public func signOut(userWithID id: String) async throws -> Int { try await server.signOut(userWithID: id) }

  /// Drops the files of uploads that nobody has taken in a time since their last byte.
  package func expireUploads(after time: Duration) { server.expireUploads(after: time) }
  package func dropUnoffered() -> Task<Void, Never> { server.dropUnoffered() }

  public func drain() { server.drain() }

  public func stop() { server.stop() }
}
