// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// A view model that shows whether its client runs on the server's own machine.
private final class Locality: ViewModel {
  private let context: SessionContext
  lazy var isLocal = Observable(context.isLocal)
  init(_ context: SessionContext) { self.context = context }
  static let surface = Surface<Locality>("locality", .value("isLocal", \.isLocal))
}

@Suite(.timeLimit(.minutes(30))) struct `A client of the server's own machine` {
  @Test(
    arguments: [
      ([], [], true), (["X-Forwarded-For"], [], false), (["Via"], [], false), (["X-Real-IP"], [], false),
      (["X-Forwarded-For"], ["127.0.0.1"], false), ([], ["127.0.0.1"], true),
    ] as [([String], [String], Bool)]) func `is none if a proxy asks for it that is not trusted`(
      _ fields: [String], _ proxies: [String], _ isLocal: Bool
    ) throws
  {
    let server = try TestServer([.hosting { Locality($0) }]) { $0.trustedProxies = proxies }
    let opened = try server.client().request(
      "POST", "/sessions/locality", fields: fields.map { ($0, "192.0.2.1") })
    #expect(opened.json?["state"]?["isLocal"] == .bool(isLocal))
  }
}
