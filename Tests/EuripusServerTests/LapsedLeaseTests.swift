// SPDX-License-Identifier: MIT
import EuripusNodes
import EuripusTesting
import HTTPListening
import JSONPatching
import Locking
import StoreRules
import Testing
import ViewModels

@testable import EuripusServer
@testable import Sessions
@testable import Storing

/// A store that servers share, which can be out of reach.
private final class StoreOutOfReach: SharedSessionStore, BackedStore {
  let memory = MemorySessions()
  let isAway = Locked(false)
  var isShared: Bool { true }
  var token: String? { "token" }
  func hosts(_ schemas: [String: UInt32]) {}
  func gone(_ now: ContinuousClock.Instant) -> [UInt64] { [] }
  func askToEnd(_ id: String, as closing: Closing) {}
  func keep(_ ids: [String], insteadOf closing: Closing) {}
  func tell(_ topic: String) throws(StoreError) {}
  func lock(_ name: String) throws(StoreError) -> (any StoreLock)? { nil }
  func askedEnds(among ids: [String]) -> [String: Closing] { [:] }

  func beat(
    _ now: ContinuousClock.Instant, lookingFor sessions: (Bool) -> [String]?
  ) throws(StoreError) -> NodeSign {
    let ids = sessions(false)
    if isAway.withLock({ $0 }) { throw StoreError(.unavailable, "it is away") }
    return NodeSign(notices: [], taken: ids.map { _ in [] })
  }
}

/// One of several servers. Its time passes when a test says so.
private final class NodeServer {
  let store = StoreOutOfReach()
  private let instant = Locked(ContinuousClock.now)
  private let nanoseconds = Locked<UInt64>(1_000_000_000)
  private let host: SessionHost
  private let application: Application
  private let listener: HTTPListener

  init(configure: (inout ServerConfiguration) -> Void) throws {
    var configuration = ServerConfiguration()
    configuration.listener.port = 0
    configuration.listener.loops = 1
    configuration.listener.clock = MonotonicClock { [nanoseconds] in nanoseconds.withLock { $0 } }
    configuration.sessions.storage = SessionStorage(
      store, nodeClient: { CurlClient() }, description: "a store")
    configure(&configuration)
    let models: [HostedModelType] = [.hosting { Counter() }]
    host = SessionHost(
      models, configuration: configuration.sessions, now: { [instant] in instant.withLock { $0 } })
    let application = Application(
      host: host, surfaces: models.map(\.description), table: .all,
      descriptions: Descriptions(whole: [], byModel: []), readiness: Readiness(),
      faults: StoreFaults(LogLines().logger()), models: models, configuration: configuration)
    self.application = application
    listener = HTTPListener(
      configuration: configuration.listener, onRefusal: { refusal, _ in Problem(refusal).response },
      handler: { application.answer($0) })
    try host.openStore(as: "a test")
    try listener.start()
    pass(.zero)
  }

  deinit {
    listener.stop(within: .zero)
    host.nodeClient?.stop()
    host.closeStore(within: .zero) {}
  }

  func client() throws -> TestClient { try TestClient(port: listener.port) }

  /// Lets time pass. The server says then that it is there, if it can.
  func pass(_ duration: Duration) {
    instant.withLock { $0 += duration }
    nanoseconds.withLock { $0 += UInt64(duration / .nanoseconds(1)) }
    host.giveSign()
    host.keeper?.presence?.settle()
    listener.timePassed()
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A poll at a server that cannot ask the store` {
  @Test(arguments: [false, true]) func `has the rest of its own wait, also if the app has to name its user anew`(
    asksApp: Bool
  ) throws {
    let (isShut, gate) = (Locked(false), Gate<Void>())
    let server = try NodeServer {
      guard asksApp else { return }
      $0.authenticate = { _ in
        if isShut.withLock({ $0 }) { try await gate.pass() }
        return nil
      }
    }
    let (client, reader) = (try server.client(), try server.client())
    // The server has one loop: when it answers this, it has done what came before.
    func catchUp() throws { #expect(try client.request("GET", "/healthz").status == 200) }
    let url = try client.open("counter")
    reader.goOn(with: client.cookie)
    let since = try client.version(of: url)
    try reader.send("GET", "\(url)/changes?since=\(since)", fields: [("Prefer", "wait=55")])
    try catchUp()
    for _ in 0..<35 { server.pass(.seconds(1)) }
    isShut.withLock { $0 = true }
    server.store.isAway.withLock { $0 = true }
    server.pass(.seconds(3))
    // The poll has been handled anew, and nothing has come of it.
    for _ in 0..<2 { try catchUp() }
    isShut.withLock { $0 = false }
    gate.open()
    server.store.isAway.withLock { $0 = false }
    server.pass(.seconds(1))
    #expect(try client.request("POST", "\(url)/actions/add", "1").status == 200)
    let frame = try reader.receive()
    #expect((frame.status, frame["Preference-Applied"]) == (200, "wait=55"), "\(frame.text)")
    #expect(frame.json?["patch"] == [["op": "replace", "path": "/count", "value": 1]])
  }

  @Test func `is told so at the end of its wait, and another request after half a minute`() throws {
    let server = try NodeServer { _ in }
    let (client, reader, other) = (try server.client(), try server.client(), try server.client())
    let url = try client.open("counter")
    reader.goOn(with: client.cookie)
    let since = try client.version(of: url)
    try reader.send("GET", "\(url)/changes?since=\(since)", fields: [("Prefer", "wait=55")])
    #expect(try other.request("GET", "/healthz").status == 200)
    server.store.isAway.withLock { $0 = true }
    server.pass(.seconds(3))
    try client.send("GET", url)
    #expect(try other.request("GET", "/healthz").status == 200)
    server.pass(.seconds(30))
    #expect(TestClient.firstReadable(of: [reader, client]) == 1)
    #expect(try client.receive().problem == "store-unavailable")
    server.pass(.seconds(22))
    #expect(try reader.receive().problem == "store-unavailable")
  }
}
