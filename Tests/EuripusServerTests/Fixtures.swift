// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import EuripusTesting
import Testing
import JSONPatching

/// A view model that counts, with actions that fail in every way.
final class Counter: ViewModel {
  struct Failure: Error {}
  let count = Observable(0)
  let label = Observable("a label that is long enough for a patch of one value to be shorter than the state")
  let key = Observable("")
  let isOpen = Observable(true)
  let add = Observer<Int>()
  let reset = Observer<Void>()
  let open = Observer<Bool>()
  let fail = Observer<Void>()
  let parse = Observer<String>()
  let refuse = Observer<Void>()
  let replay = Observer<Void>()
  let circle = Observer<Void>()

  init() {
    add.handle(self) { $0.count.value += $1 }
    reset.handle(self) { counter, _ in counter.count.value = 0 }
    open.handle(self) { $0.isOpen.value = $1 }
    fail.handle(self) { counter, _ in
      counter.count.value = -1
      throw Failure()
    }
    // These actions throw errors of the types that stand for a client's mistakes.
    parse.handle { _ = try JSONReader.read(Array($0.utf8)) }
    refuse.handle { _ in throw SurfaceError.readOnly("label") }
    replay.handle(self) { counter, _ in counter.count.addObserver(Observer { _ in throw Failure() }, replay: true) }
    circle.handle(self) { counter, _ in
      Observer<Int>(counter) { counter, _ in counter.count.value += 1 }.subscribe(counter.count)
      counter.count.value += 1
    }
  }

  static let surface = Surface<Counter>(
    "counter",
    .twoWay("count", \.count), .value("label", \.label), .secret("key", \.key), .value("isOpen", \.isOpen),
    .action("add", \.add), .action("reset", \.reset, when: \.isOpen), .action("open", \.open), .action("fail", \.fail),
    .action("parse", \.parse), .action("refuse", \.refuse), .action("replay", \.replay),
    .action("circle", \.circle))
}

/// A view model whose `init` throws.
final class Broken: ViewModel {
  struct Failure: Error {}
  init() throws { throw Failure() }
  static let surface = Surface<Broken>("broken")
}

/// A server that hosts both, and a client that has opened a session on the counter.
struct Opened {
  let server: TestServer
  let client: TestClient
  let url: String

  init(configure: (inout ServerConfiguration) -> Void = { _ in }) throws {
    server = try TestServer([.hosting { Counter() }, .hosting { try Broken() }], configure: configure)
    client = try server.client()
    url = try client.open("counter")
  }

  var version: String {
    get throws {
      guard case .string(let version)? = try client.request("GET", url).json?["version"] else { throw Missing() }
      return version
    }
  }

  struct Missing: Error {}
}

/// A view model that reports its release, which follows its session's end.
final class Passing: ViewModel {
  private let count = Observable(0)
  private let didGo: @Sendable () -> Void

  init(_ didGo: @escaping @Sendable () -> Void) { self.didGo = didGo }
  deinit { didGo() }

  static let surface = Surface<Passing>("passing", .value("count", \.count))

  /// Opens a session with an idle time of one second, and runs a reader that comes and goes. Then waits until
  /// the session has ended.
  static func end(afterReader read: (TestClient, _ url: String) throws -> Void) throws {
    let isGone = DispatchSemaphore(value: 0)
    let server = try TestServer([.hosting { Passing { isGone.signal() } }]) { $0.sessions.idleTime = .seconds(1) }
    let client = try server.client()
    try read(client, try client.open("passing"))
    #expect(isGone.wait(timeout: .now() + 10) == .success)
    #expect(server.sessionCount == 0)
  }
}

extension TestClient.Response {
  /// The name of the problem's kind, without `/problems/`; `nil` for an answer that is no proper problem.
  var problem: String? {
    guard self["Content-Type"] == "application/problem+json", case .string(let type)? = json?["type"],
      type.hasPrefix("/problems/"), json?["status"] == .integer(Int64(status))
    else { return nil }
    return String(type.dropFirst("/problems/".count))
  }
}

extension TestClient {
  /// Asks for the metrics until they have this text. A server tells nobody when a reader begins to wait.
  func untilMetric(_ text: String) throws {
    while try !request("GET", "/metrics").text.contains(text) {}
  }
}

/// The folder of this package's pages.
let publicDirectory = #filePath.replacing("Tests/EuripusServerTests/Fixtures.swift", with: "Public")
