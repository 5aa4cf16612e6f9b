// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import HTTPListening
import JSONPatching
import Locking
import Logging
import Testing

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

/// A counter with an address, and with a command that is over at once.
final class Fetcher: ViewModel {
  let count = Observable(0)
  let add = Observer<Int>()
  private(set) lazy var fetch = Command<Void, Int>(count) { _, _, _ in 1 }
  init() { add.handle(self) { $0.count.value += $1 } }
  static let surface = Surface<Fetcher>(
    "fetcher", .twoWay("count", \.count).inAddress(), .action("add", \.add), .command("fetch", \.fetch))
}

/// A server, and a client that has opened a session there.
struct Opened {
  let server: TestServer
  let client: TestClient
  let url: String

  /// - Parameter name: The view model of the session, by default a counter beside a view model that is broken.
  init(
    _ models: [HostedModelType] = [.hosting { Counter() }, .hosting { try Broken() }], _ name: String = "counter",
    configure: (inout ServerConfiguration) -> Void = { _ in }
  ) throws {
    server = try TestServer(models) {
      $0.stopTime()
      configure(&$0)
    }
    client = try server.client()
    url = try client.open(name)
  }

  var version: String { get throws { try client.version(of: url) } }

  /// Sends a request to a path in the session.
  @discardableResult
  func send(
    _ method: String, _ path: String = "", _ body: String? = nil, _ fields: [(String, String)] = []
  ) throws -> TestClient.Response {
    try client.request(method, url + path, body, fields: fields)
  }

  @discardableResult
  func get(_ path: String = "", _ fields: [(String, String)] = []) throws -> TestClient.Response {
    try send("GET", path, nil, fields)
  }

  @discardableResult
  func add(_ number: Int = 1, _ fields: [(String, String)] = []) throws -> TestClient.Response {
    try send("POST", "/actions/add", "\(number)", fields)
  }

  /// Another client with the same key, which waits for a change.
  func poll(_ fields: [(String, String)] = []) throws -> TestClient {
    try server.poll(url, of: client, fields: fields)
  }

  struct Missing: Error {}
}

extension ServerConfiguration {
  /// Stops the listener's time, so that no wait is over, and no heartbeat comes, because a machine is slow. Other
  /// tests block the threads that commands need, so a step of one may come late as well.
  mutating func stopTime() {
    listener.clock = MonotonicClock { 1_000_000_000 }
    sessions.commandLimit = .seconds(3_600)
  }

  /// Lets the listener's time pass, where ``Opened`` has stopped it.
  mutating func letTimePass() { listener.clock = .system }
}

extension TestServer {
  /// Another client with the same key.
  func client(as other: TestClient) throws -> TestClient {
    let client = try client()
    client.goOn(with: other.cookie)
    return client
  }

  /// Another client with the same key, which waits for a change of a session.
  func poll(_ url: String, of other: TestClient, fields: [(String, String)] = []) throws -> TestClient {
    let client = try client(as: other)
    let version = try client.version(of: url, fields: fields)
    try client.send("GET", "\(url)/changes?since=\(version)", fields: fields + [("Prefer", "wait=55")])
    return client
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

  /// A text in the JSON of the body.
  func string(_ name: String) throws -> String {
    guard case .string(let text)? = json?[name] else { throw Opened.Missing() }
    return text
  }

  /// The key in the cookie that it sets.
  var key: String { get throws { String(try #require(self["Set-Cookie"]).prefix { $0 != ";" }) } }
}

extension TestClient {
  /// Asks for the metrics until they have this text. A server tells nobody when a reader begins to wait.
  func untilMetric(_ text: String) throws {
    while try !request("GET", "/metrics").text.contains(text) {}
  }

  /// The value of a metric; `nil` if it is not there.
  func metric(_ name: String) throws -> Int? {
    let line = try request("GET", "/metrics").text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
    return line.flatMap { Int($0.dropFirst(name.count + 1)) }
  }

  /// The version of a session.
  func version(of url: String, fields: [(String, String)] = []) throws -> String {
    try #require(try request("GET", url, fields: fields)["ETag"]).filter { $0 != "\"" }
  }
}

extension JSON {
  var text: String? { if case .string(let text) = self { text } else { nil } }
}

/// The lines of a log, which a server writes and a test reads.
final class LogLines: Sendable {
  private let lines = Locked<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  /// The lines as JSON.
  var json: [JSON] { get throws { try all.map { try JSONReader.read(Array($0.utf8)) } } }

  func logger(_ format: LineLogHandler.Format = .text, level: Logger.Level = .info) -> Logger {
    Logger(label: "test") { [lines] _ in
      LineLogHandler(format, level: level, write: { line in lines.withLock { $0.append(line) } })
    }
  }
}

/// The folder of this package's pages.
let publicDirectory = #filePath.replacing("Tests/EuripusServerTests/Fixtures.swift", with: "Public")
