// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Seeded

/// A fault that a run found.
struct Finding: Error, CustomStringConvertible {
  let description: String
}

/// One session, its clients, and a network between them that loses, delays, doubles, reorders and cuts. A seed
/// decides everything.
///
/// In each step a client sends something, or a message on its way arrives, whole or not. Nothing waits for time
/// to pass: the seed lets messages arrive late. The server is a real one, reached over real sockets. After each
/// request that may have changed something, the run asks for the state on a connection without faults. The
/// state must be as ``PlainLedger`` says. So the run knows the state of every version, and each client's state
/// must be that of its version.
final class FaultRun {
  /// A client's way to name a request that it wants done once.
  enum Keys: CaseIterable { case numbers, texts, none }
  /// The harm that the network does to keys on their way; for controls.
  enum Tampering { case losesKeys, makesNumbersTexts }

  struct Settings {
    var keys = Keys.numbers
    var clients = 1
    var steps = 50
    /// Whether clients follow by streams. If not, their polls may wait.
    var streams = false
    /// Whether another server takes the server's place at times, on the same store.
    var restarts = false
    var tampering: Tampering?
    var fault: Follower.Fault?
  }

  /// A request, with the version that its client held when it sent it.
  enum Request {
    case operation(Operation, since: String?, held: String)
    case poll(client: Int, since: String?, waits: Bool, held: String)
  }

  let settings: Settings
  var server: LedgerServers
  var port: UInt16 { server.port }
  var random: SeededGenerator
  var link: Link
  var plain: PlainLedger
  var followers: [Follower] = []
  /// Requests and answers that are on their way, in no order.
  var requests: [Request] = []
  var replies: [(request: Request, answer: TestClient.Response)] = []
  /// Polls that wait at the server.
  var parked: [(request: Request, client: TestClient)] = []
  var streams: [Following] = []
  /// The state of each version so far.
  var states: [String: JSON] = [:]
  var version = ""
  private var lastID = 0
  /// The events, for a person who looks for the reason of a finding.
  var trace: [String] = []
  var counts = Counts()

  struct Counts {
    var operations = 0
    var arrivals = 0
    var repeated = 0
    var frames = 0
    var events = 0
    var restarts = 0

    static func += (total: inout Counts, other: Counts) {
      total.operations += other.operations
      total.arrivals += other.arrivals
      total.repeated += other.repeated
      total.frames += other.frames
      total.events += other.events
      total.restarts += other.restarts
    }
  }

  /// - Parameter isRecorded: Whether the referee gets this run too.
  init(seed: UInt64, server: LedgerServers, settings: Settings, isRecorded: Bool = false) throws {
    self.settings = settings
    self.server = server
    random = SeededGenerator(seed: seed)
    plain = PlainLedger(areNumbered: settings.keys == .numbers)
    link = try Link(port: server.port, tampering: settings.tampering, isObserved: isRecorded)
    let snapshot = try takeSnapshot()
    for index in 0..<settings.clients {
      followers.append(Follower(index: index, snapshot: snapshot, fault: settings.fault))
    }
  }

  /// - Throws: ``Finding``, or the error of a client that gets no answer.
  func run() throws {
    for _ in 0..<settings.steps { try step() }
    try heal()
    _ = try link.exchange("DELETE", "")
  }

  private func step() throws {
    if settings.restarts, Int.random(in: 0..<15, using: &random) == 0 { return try restart() }
    if settings.streams, Int.random(in: 0..<4, using: &random) == 0 {
      return Bool.random(using: &random) ? try openStream() : try streamArrival()
    }
    switch Int.random(in: 0..<100, using: &random) {
    case ..<28: if !wantSomething() { try replyArrival() }
    case ..<34: retry()
    case ..<46: poll()
    case ..<75: try arrival()
    default: try replyArrival()
    }
  }

  // MARK: Clients

  private func wantSomething() -> Bool {
    let index = Int.random(in: followers.indices, using: &random)
    // A client sends a few requests without waiting for each answer.
    guard !followers[index].isClosed, followers[index].outstanding.count < 4 else { return false }
    lastID += 1
    let closes = Int.random(in: 0..<150, using: &random) == 0
    let kinds = Operation.Kind.allCases.filter { $0 != .close } + [.append, .append, .add]
    let number = followers[index].lastNumber + 1
    let key: String? =
      switch settings.keys {
      case .numbers: Bool.random(using: &random) ? "tab\(index)/\(number)" : "\"tab\(index)/\(number)\""
      case .texts: "key-\(index)-\(String(random.next(), radix: 36))"
      case .none: nil
      }
    let operation = Operation(
      id: "e\(lastID)", kind: closes ? .close : kinds.randomElement(using: &random) ?? .append, client: index,
      number: number, key: key)
    followers[index].wants(operation)
    counts.operations += 1
    send(operation)
    return true
  }

  private func retry() {
    let index = Int.random(in: followers.indices, using: &random)
    if let operation = followers[index].outstanding.randomElement(using: &random) { send(operation) }
  }

  private func send(_ operation: Operation) {
    let held = followers[operation.client].version
    requests.append(.operation(operation, since: Bool.random(using: &random) ? held : nil, held: held))
    note { "client \(operation.client) sends \(operation.kind) \(operation.id)" }
  }

  private func poll() {
    let index = Int.random(in: followers.indices, using: &random)
    let isFresh = Int.random(in: 0..<4, using: &random) == 0
    let held = followers[index].version
    let since = isFresh ? nil : held
    let waits = !settings.streams && Bool.random(using: &random)
    requests.append(.poll(client: index, since: since, waits: waits, held: held))
    note { "client \(index) polls since \(since ?? "never")" }
  }

  func note(_ text: () -> String) {
    if FaultTests.isTraced { trace.append(text()) }
  }

  func text(of request: Request) -> String {
    switch request {
    case .operation(let operation, let since, _):
      link.text(operation.method, operation.path, since: since, key: operation.key, body: operation.body)
    case .poll(_, let since, let waits, _): link.text("GET", "/changes", since: since, waits: waits)
    }
  }
}

extension FaultRun.Request {
  var client: Int {
    switch self {
    case .operation(let operation, _, _): operation.client
    case .poll(let client, _, _, _): client
    }
  }

  /// The version that its client held when it sent it.
  var held: String {
    switch self {
    case .operation(_, _, let held): held
    case .poll(_, _, _, let held): held
    }
  }
}
