// SPDX-License-Identifier: MIT
import JSONPatching
import Recording

/// What a run found to be wrong.
struct Finding: Error, CustomStringConvertible {
  let description: String
}

/// One session, its clients, and a network between them that loses, delays, doubles, reorders and cuts: a seed decides all.
///
/// In each step a client sends something, or one of the messages that are on their way arrives, whole or not. Nothing waits
/// for time to pass: what is late is what the seed lets arrive late. The server is a real one, reached over real sockets.
/// After each request that may have changed something its state is asked for on a connection that has no faults, and must
/// be what ``PlainLedger`` says; so the state of every version is known, and each client's must be that of its own.
final class FaultRun {
  /// How a client names what it wants done once.
  enum Keys: CaseIterable { case numbers, texts, none }
  /// What the network does to keys on the way; for controls.
  enum Tampering { case losesKeys, makesNumbersTexts }

  struct Settings {
    var keys = Keys.numbers
    var clients = 1
    var steps = 50
    /// Whether clients follow by streams; if not, polls may wait.
    var streams = false
    var tampering: Tampering?
    var fault: Follower.Fault?
  }

  enum Request {
    case operation(Operation, since: String?)
    case poll(client: Int, since: String?, waits: Bool)
  }

  let settings: Settings
  let port: UInt16
  var random: SeededGenerator
  let link: Link
  var plain: PlainLedger
  var followers: [Follower] = []
  /// Requests and answers that are on their way, in no order.
  var requests: [Request] = []
  var replies: [(request: Request, bytes: [UInt8])] = []
  /// Polls that wait at the server.
  var parked: [(request: Request, wire: Wire)] = []
  var streams: [Following] = []
  /// The state of each version there was.
  var states: [String: JSON] = [:]
  private(set) var version = ""
  private var lastID = 0
  /// What happened, for who looks for the reason of a finding.
  var trace: [String] = []
  var counts = Counts()

  struct Counts {
    var operations = 0
    var arrivals = 0
    var repeated = 0
    var frames = 0
    var events = 0

    static func += (total: inout Counts, other: Counts) {
      total.operations += other.operations
      total.arrivals += other.arrivals
      total.repeated += other.repeated
      total.frames += other.frames
      total.events += other.events
    }
  }

  init(seed: UInt64, port: UInt16, settings: Settings) throws {
    self.settings = settings
    self.port = port
    random = SeededGenerator(state: seed)
    plain = PlainLedger(areNumbered: settings.keys == .numbers)
    link = try Link(port: port, tampering: settings.tampering)
    let snapshot = try takeSnapshot()
    for index in 0..<settings.clients {
      followers.append(Follower(index: index, snapshot: snapshot, fault: settings.fault))
    }
  }

  /// - Throws: ``Finding``, or ``Wire/Broken``.
  func run() throws {
    for _ in 0..<settings.steps { try step() }
    try heal()
    _ = try link.exchange(link.head("DELETE", "") + "\r\n")
  }

  private func step() throws {
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

  // MARK: What clients do

  private func wantSomething() -> Bool {
    let index = Int.random(in: followers.indices, using: &random)
    // A program sends a few requests without waiting for each answer.
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
    let since = Bool.random(using: &random) ? followers[operation.client].version : nil
    requests.append(.operation(operation, since: since))
    note { "client \(operation.client) sends \(operation.kind) \(operation.id)" }
  }

  private func poll() {
    let index = Int.random(in: followers.indices, using: &random)
    let isFresh = Int.random(in: 0..<4, using: &random) == 0
    let since = isFresh ? nil : followers[index].version
    requests.append(.poll(client: index, since: since, waits: !settings.streams && Bool.random(using: &random)))
    note { "client \(index) polls since \(since ?? "never")" }
  }

  // MARK: What the network does

  private func arrival() throws {
    guard !requests.isEmpty else { return }
    let request = requests.remove(at: Int.random(in: requests.indices, using: &random))
    let fate = Int.random(in: 0..<100, using: &random)
    if fate >= 8, fate < 30 { requests.append(request) }
    switch fate {
    case ..<8: note { "lost: \(request)" }
    case ..<16:
      try link.sendPart(bytes(of: request), using: &random)
      note { "cut: \(request)" }
    case ..<20:
      let text = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n"
      replies.append((request, Array(text.utf8)))
      note { "refused by a proxy: \(request)" }
    default:
      note { "arrives: \(request)" }
      let reply = try receive(request)
      guard let reply else { return }
      switch Int.random(in: 0..<100, using: &random) {
      case ..<10: note { "its answer is lost" }
      case ..<15:
        replies.append((request, Array("HTTP/1.1 504 Gateway Timeout\r\nContent-Length: 0\r\n\r\n".utf8)))
        note { "a proxy gives up on its answer" }
      default: replies.append((request, reply))
      }
    }
  }

  private func replyArrival() throws {
    guard !replies.isEmpty else { return }
    var (request, bytes) = replies.remove(at: Int.random(in: replies.indices, using: &random))
    if Int.random(in: 0..<12, using: &random) == 0 { bytes.removeLast(Int.random(in: 1...bytes.count, using: &random)) }
    try deliver(bytes, to: request)
  }

  /// Hands an answer to the client that it is for, who asks again where it is not whole.
  func deliver(_ bytes: [UInt8], to request: Request) throws {
    guard let (answer, _) = Answer.parse(bytes) else { return }
    let index = request.client
    let before = followers[index].version
    switch request {
    case .operation(let operation, _): try followers[index].take(answer, to: operation)
    case .poll: try followers[index].takePoll(answer)
    }
    note { "client \(index) gets \(answer.status) for \(request): it is at \(followers[index].version)" }
    try check(followers[index], before: before)
  }

  func check(_ follower: Follower, before: String) throws {
    if follower.version != before { counts.frames += 1 }
    guard let state = states[follower.version] else {
      throw Finding(description: "client \(follower.index) is at \(follower.version), which never was")
    }
    guard follower.state == state else {
      throw Finding(
        description: "client \(follower.index) at \(follower.version) has \(follower.state), which was \(state)")
    }
    guard Self.revision(follower.version) >= Self.revision(before) else {
      throw Finding(description: "client \(follower.index) went back from \(before) to \(follower.version)")
    }
  }

  static func revision(_ version: String) -> UInt64 { UInt64(version.split(separator: ".").last ?? "") ?? 0 }

  // MARK: What the server must do

  /// Lets a request arrive whole.
  ///
  /// - Returns: its answer; nil if it is a poll that waits.
  func receive(_ request: Request) throws -> [UInt8]? {
    counts.arrivals += 1
    switch request {
    case .operation(let operation, _):
      let bytes = try link.exchange(self.bytes(of: request), using: &random)
      try judge(try Self.parsed(bytes), operation)
      return bytes
    case .poll(_, let since, let waits):
      guard waits, since == version, plain.closing == nil else {
        let bytes = try link.exchange(self.bytes(of: request), using: &random)
        try judge(poll: try Self.parsed(bytes), since: since)
        return bytes
      }
      return try park(request)
    }
  }

  private func judge(_ answer: Answer, _ operation: Operation) throws {
    let verdict = plain.receive(operation)
    let wanted: Bool
    switch verdict {
    case .decided(let status):
      wanted = answer.status == status
      plain.keep(answer, of: operation)
    case .undecided(let status, let problem): wanted = answer.status == status && answer.problem == problem
    case .repeated(let first):
      counts.repeated += 1
      wanted = answer == first
    case .replayed: wanted = answer.status == 200 && answer.json?["replayed"] == true
    }
    guard wanted else {
      throw Finding(
        description: "\(operation) was answered \(answer.status) \(String(decoding: answer.body, as: UTF8.self)), "
          + "wanted \(verdict)")
    }
    let before = version
    try takeSnapshot()
    if answer.status == 200, verdict == .decided(status: 200) {
      guard answer.json?["to"]?.text == version, answer.entityTag == "\"\(version)\"" else {
        throw Finding(description: "\(operation) leads to \(answer.json?["to"]?.text ?? "no version"), not \(version)")
      }
      recordFrame(answer)
    }
    if version != before || plain.closing != nil {
      try unpark()
      try readStreams()
    }
  }

  private func judge(poll answer: Answer, since: String?) throws {
    let wanted = plain.closing != nil ? 410 : since == version ? 204 : 200
    guard answer.status == wanted, wanted != 200 || answer.json?["to"]?.text == version else {
      throw Finding(
        description: "a poll since \(since ?? "never") at \(version) was answered \(answer.status), wanted \(wanted): "
          + String(decoding: answer.body, as: UTF8.self))
    }
    if wanted == 200 { recordFrame(answer) }
  }

  /// Has a poll wait at the server. Beyond four the server releases one, the oldest that it knows.
  private func park(_ request: Request) throws -> [UInt8]? {
    let wire = try Wire(port: port)
    try wire.write(bytes(of: request).utf8)
    parked.append((request, wire))
    guard parked.count > 4 else { return nil }
    guard let released = Wire.firstReadable(of: parked.map(\.wire)) else {
      throw Finding(description: "of five waiting polls none was released")
    }
    let (other, otherWire) = parked.remove(at: released)
    let bytes = try otherWire.read()
    guard try Self.parsed(bytes).status == 204 else {
      throw Finding(description: "a poll was released with \(String(decoding: bytes, as: UTF8.self))")
    }
    replies.append((other, bytes))
    return nil
  }

  /// Takes the answers of the polls that waited for what has just happened.
  private func unpark() throws {
    for (request, wire) in parked {
      let bytes = try wire.read()
      try judge(poll: try Self.parsed(bytes), since: nil)
      replies.append((request, bytes))
    }
    parked = []
  }

  /// Asks for the state on a connection without faults.
  @discardableResult
  func takeSnapshot() throws -> JSON {
    let answer = try Self.parsed(try link.exchange(link.head("GET", "") + "\r\n"))
    if plain.closing != nil {
      guard answer.status == 410 else { throw Finding(description: "a closed session answers \(answer.status)") }
      return .null
    }
    guard answer.status == 200, let json = answer.json, let state = json["state"], let now = json["version"]?.text
    else {
      throw Finding(description: "a snapshot was answered \(answer.status)")
    }
    if let difference = plain.difference(from: state) { throw Finding(description: "at \(now) \(difference)") }
    guard Self.revision(now) >= Self.revision(version) else {
      throw Finding(description: "the server went back from \(version) to \(now)")
    }
    if let known = states[now], known != state {
      throw Finding(description: "\(now) was \(known) and is \(state)")
    }
    version = now
    states[now] = state
    if isRecorded { Recorder.current?.message(answer.body, of: link.number) }
    return json
  }

  /// One run of a few is for the referee too.
  private lazy var isRecorded = link.number % 20 == 0

  private func recordFrame(_ answer: Answer) {
    if isRecorded { Recorder.current?.message(answer.body, of: link.number) }
  }

  static func parsed(_ bytes: [UInt8]) throws -> Answer {
    guard let (answer, _) = Answer.parse(bytes) else {
      throw Finding(description: "no response: \(String(decoding: bytes, as: UTF8.self))")
    }
    return answer
  }

  func note(_ text: () -> String) {
    if FaultTests.isTraced { trace.append(text()) }
  }

  private func bytes(of request: Request) -> String {
    switch request {
    case .operation(let operation, let since):
      link.head(operation.method, operation.path, since: since, key: operation.key)
        + (operation.body.map { "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n\r\n\($0)" }
          ?? "\r\n")
    case .poll(_, let since, let waits):
      link.head("GET", "/changes", since: since) + (waits ? "Prefer: wait=55\r\n\r\n" : "\r\n")
    }
  }
}

extension FaultRun.Request {
  var client: Int {
    switch self {
    case .operation(let operation, _): operation.client
    case .poll(let client, _, _): client
    }
  }
}
