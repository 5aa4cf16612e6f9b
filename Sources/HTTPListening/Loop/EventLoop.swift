// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// One thread that runs engines and the handler, for the connections that are dealt to it.
///
/// libmicrohttpd must never wait by itself: with exactly 128·k ready sockets its own loop stalls (0.9.75). So
/// the loop waits on a poller of its own, in which each engine's poller is nested. Then it runs the engines
/// that are ready.
// @unchecked Sendable: only the loop's thread touches anything but the inbox and the constants.
final class EventLoop: @unchecked Sendable {
  /// Tags of the poller's events. Connections have tags from 2³² on.
  enum Tag {
    static let inbox: UInt64 = 0
    static let listening: UInt64 = 1
    static let firstEngine: UInt64 = 2
    static let firstConnection: UInt64 = 1 << 32
  }

  /// An engine, and the time at which it wants to run.
  struct RunnableEngine {
    let engine: Engine
    var isReady = false
    /// A time of the clock; `UInt64.max` if only an event makes the engine ready.
    var wakesAt = UInt64.max
    var connections = 0
  }

  /// The time between two looks at connections whose clients have ended their side with bytes unread, in
  /// nanoseconds.
  private static let endingInterval: UInt64 = 10_000_000

  /// The most runs of one engine in a row, so that a busy engine does not starve the others.
  static let runsInARow = 4

  let shared: ListenerShared
  let inbox: Inbox
  let poller: Poller
  var engines: [RunnableEngine] = []
  var parked = SlotTable<Connection>()
  var deadlines = DeadlineHeap()
  private var notices: [Inbox.Notice] = []
  /// All connections, and the times at which the loop looks how long their clients take.
  var connections = SlotTable<Connection>()
  var lookouts = DeadlineHeap()
  /// The tags of connections whose clients have ended their side. They are looked at when the engines have
  /// read.
  var endings: [UInt64] = []
  /// Sockets that libmicrohttpd has closed, and the times at which the loop closes them at last.
  var lingerings = SlotTable<Lingering>()
  var lingeringDeadlines = DeadlineHeap()
  /// Room for bytes that nobody reads.
  var dropped = [UInt8](repeating: 0, count: 16_384)
  let tally = LoopTally()
  /// Every identity that was used. A handshake that began with one may still be under way.
  var identities: [EngineIdentity] = []
  /// The connections whose handshakes are under way, by the numbers of the handshakes.
  var handshakes: [UInt: Connection] = [:]
  /// The time of this turn, or of the last handler's return in it.
  var now: UInt64 = 0
  /// The time at which the loop accepts again; 0 while it accepts.
  var acceptsAt: UInt64 = 0
  /// A descriptor that is given up for a moment, to refuse a client when there are no others; -1 if there is
  /// none.
  var spare: Int32

  /// Set when the loop has got a connection since it last made room.
  var hasAdopted = false
  /// Whether there were nearly as many connections as allowed at the last look. Then only known clients keep theirs.
  var isCrowded = false

  /// The number of requests whose line was read and that are not over.
  var openRequests = 0
  /// The number of connections on which no request line was read yet.
  var newcomers = 0
  /// The time of the system's clock up to which a loop that stops waits for the requests of those.
  private var awaitsNewcomersUntil: UInt64 = 0
  /// The time, in nanoseconds, for which a loop that stops still waits for a first request; 0 for none. It is the system's,
  /// as a clock that a test holds would have the loop wait for ever.
  private var firstRequestPatience: UInt64 {
    if newcomers == 0 { return 0 }
    let now = MonotonicClock.system.now
    return awaitsNewcomersUntil > now ? awaitsNewcomersUntil - now : 0
  }
  /// Set by `endStreams`, never cleared. From then on every stream is told that it ends.
  var endsStreams = false
  /// Set by `stop`, never cleared. From then on every response closes its connection.
  var isStopping = false
  var stopsBy = UInt64.max
  /// Set when the grace is over, never cleared. From then on no handler is called and nothing is parked.
  var isFinishing = false

  init(shared: ListenerShared) throws(HTTPListeningError) {
    self.shared = shared
    inbox = try Inbox()
    poller = try Poller()
    now = shared.clock.now
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    do {
      for index in 0..<max(1, shared.configuration.daemonsPerLoop) {
        engines.append(RunnableEngine(engine: try makeEngine(index)))
      }
      try watch(inbox.descriptor, .becomingReadable, tag: Tag.inbox)
      try watch(shared.socket.descriptor, .readableForOne, tag: Tag.listening)
      for (index, each) in engines.enumerated() {
        try watch(each.engine.epollDescriptor, .readable, tag: Tag.firstEngine + UInt64(index))
      }
    } catch {
      stopEngines()
      throw error
    }
  }

  /// Hands a notice to the loop, from any thread. A loop that has ended drops it.
  func post(_ notice: Inbox.Notice) {
    if !inbox.post(notice) { drop(notice) }
  }

  /// Runs until it is stopped.
  func run() {
    if let identity = shared.identity {
      Engine.tellHandshakes(to: self)
      use(identity)
    }
    while turn() {}
    finish()
  }

  /// - Returns: False when the loop has stopped.
  private func turn() -> Bool {
    let count = poller.wait(patience())
    let began = shared.clock.now
    now = began
    // These go first, as their places may be given to connections that come now.
    endLateLingerings()
    for index in 0..<count { dispatch(poller.tag(at: index)) }
    readInbox()
    noticeCrowd()
    while let slot = deadlines.takeDue(now) { parked[slot]?.timeOut() }
    if acceptsAt != 0, acceptsAt <= now { resumeAccepting() }
    for index in engines.indices where engines[index].isReady || engines[index].wakesAt <= now { runEngine(index) }
    if !endings.isEmpty { endings = endings.filter { connections.find($0)?.element.closeIfAllIsRead() == true } }
    // These come last, when all bytes that had come are read. Clients' times count by the beginning of the turn: a
    // handler may have blocked the loop since, and bytes that came meanwhile are read in the next turn.
    makeRoom()
    cutOffSlowClients(at: began)
    return !isStopping || ((openRequests > 0 || firstRequestPatience > 0) && now < stopsBy)
  }

  /// Notes that a connection has come.
  func noteNewcomer() {
    newcomers += 1
    awaitsNewcomersUntil =
      MonotonicClock.system.now + MonotonicClock.nanoseconds(shared.configuration.firstRequestTime)
  }

  private func dispatch(_ tag: UInt64) {
    switch tag {
    case Tag.inbox: break
    case Tag.listening: acceptClients()
    case Tag.firstConnection... where tag & Self.lingeringMark != 0: dropReceived(tag)
    case Tag.firstConnection...: connections.find(tag)?.element.clientEnded()
    default: engines[Int(tag - Tag.firstEngine)].isReady = true
    }
  }

  private func runEngine(_ index: Int) {
    let engine = engines[index].engine
    engines[index].isReady = false
    for _ in 0..<Self.runsInARow {
      switch engine.run() {
      case 0: continue
      case let milliseconds?:
        engines[index].wakesAt = now + milliseconds * 1_000_000
        return
      case nil:
        engines[index].wakesAt = .max
        return
      }
    }
    engines[index].isReady = true
  }

  /// The milliseconds to wait for events; -1 without end.
  private func patience() -> Int32 {
    guard inbox.fallAsleep() else { return 0 }
    var wakesAt = min(deadlines.earliest ?? .max, isStopping ? stopsBy : .max)
    wakesAt = min(wakesAt, lookouts.earliest ?? .max, lingeringDeadlines.earliest ?? .max)
    if acceptsAt != 0 { wakesAt = min(wakesAt, acceptsAt) }
    for each in engines {
      if each.isReady { return 0 }
      wakesAt = min(wakesAt, each.wakesAt)
    }
    let now = shared.clock.now
    if isStopping, case let time = firstRequestPatience, time > 0 { wakesAt = min(wakesAt, now + time) }
    if !endings.isEmpty { wakesAt = min(wakesAt, now + Self.endingInterval) }
    if wakesAt == .max { return -1 }
    return wakesAt <= now ? 0 : Int32(clamping: (wakesAt - now + 999_999) / 1_000_000)
  }

  func readInbox() {
    inbox.take(&notices)
    for notice in notices {
      switch notice {
      case .connection(let socket, let peer, let address): adopt(socket, peer, address)
      case .identity(let identity): use(identity)
      case .answer(let connection, let reply, let outcome): connection.resume(reply, with: outcome)
      case .wake(let connection, let stream): connection.wake(stream)
      case .bodyRead(let connection, let body): connection.bodyWasRead(body)
      case .endStreams: endStreams()
      case .timePassed: break
      case .stop(let by): stop(by: by)
      }
    }
    notices.removeAll(keepingCapacity: notices.count < 1_024)
  }

  private func makeEngine(_ index: Int) throws(HTTPListeningError) -> Engine {
    try Engine(loop: self, index: index)
  }

  private func watch(_ descriptor: Int32, _ interest: Poller.Interest, tag: UInt64) throws(HTTPListeningError) {
    guard poller.add(descriptor, interest, tag: tag) else {
      throw .systemRefused(what: "epoll_ctl", reason: String(cString: strerror(errno)))
    }
  }
}
