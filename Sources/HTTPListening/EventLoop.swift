// SPDX-License-Identifier: MIT
import Buffers
import CMicroHTTPDShim
import Glibc

/// One thread that reads requests, runs the handler and sends responses, for the connections dealt to it.
///
/// libmicrohttpd must never wait by itself: with exactly 128·k ready sockets its own loop stalls (0.9.75). So the
/// loop waits on a poller of its own, in which each engine's poller is nested, and runs the engines that are ready.
// @unchecked Sendable: all but the inbox and the constants is touched only on the loop's thread.
final class EventLoop: @unchecked Sendable {
  /// Tags of the poller's events; parked connections have tags from 2³² on.
  enum Tag {
    static let inbox: UInt64 = 0
    static let listening: UInt64 = 1
    static let firstEngine: UInt64 = 2
    static let firstParked: UInt64 = 1 << 32
  }

  /// An engine and when it wants to run.
  struct Seat {
    let engine: Engine
    var isReady = false
    /// Time of `MonotonicClock`; `UInt64.max` if only an event makes it ready.
    var wakesAt = UInt64.max
    var connections = 0
  }

  /// Runs of one engine in a row, so that a busy one does not starve the others.
  static let runsInARow = 4

  let shared: ListenerShared
  // Of these each loop has its own: counting references to one and the same, the loops would wait for each other's caches.
  let handler: (HTTPRequest) -> HTTPAnswer
  let onExchange: ((HTTPExchange) -> Void)?
  @exclusivity(unchecked) var commonLines: CommonLines
  let inbox: Inbox
  let poller: Poller
  // Without the runtime's exclusivity checks: one thread touches them, and no access lasts over a call.
  @exclusivity(unchecked) var seats: [Seat] = []
  @exclusivity(unchecked) var parked = SlotTable<Connection>()
  @exclusivity(unchecked) var deadlines = DeadlineHeap()
  @exclusivity(unchecked) private var messages: [Inbox.Message] = []
  /// Every connection, and when to look at how long its client takes.
  @exclusivity(unchecked) var connections = SlotTable<Connection>()
  @exclusivity(unchecked) var lookouts = DeadlineHeap()
  /// Every connection by its socket; owned by its engine.
  @exclusivity(unchecked) var bySocket: [Unmanaged<Connection>?] = []
  /// Where bytes are received, for all connections in turn.
  let received: UnsafeMutableBufferPointer<UInt8>
  /// Sockets that libmicrohttpd has closed, and when they are closed at last.
  @exclusivity(unchecked) var lingerings = SlotTable<Lingering>()
  @exclusivity(unchecked) var lingeringDeadlines = DeadlineHeap()
  /// What libmicrohttpd is given to send.
  let stub: StubResponse
  /// For the next response to be written into, while no connection has it.
  @exclusivity(unchecked) var output = Buffer<UInt8>()
  let tally = LoopTally()
  /// The time of this turn, or of the last handler's return in it.
  @exclusivity(unchecked) var now: UInt64 = 0
  /// When accepting goes on; 0 while it goes on.
  @exclusivity(unchecked) var acceptsAt: UInt64 = 0
  /// A descriptor given up for a moment to refuse a client when there are no others; -1 if there is none.
  var spare: Int32

  /// Requests whose line was read and that are not over.
  @exclusivity(unchecked) var openRequests = 0
  /// Set by `endStreams`, never cleared; from then on every stream is told that it ends.
  @exclusivity(unchecked) var endsStreams = false
  /// Set by `stop`, never cleared; from then on every response closes its connection.
  @exclusivity(unchecked) var isStopping = false
  @exclusivity(unchecked) var stopsBy = UInt64.max
  /// Set when the grace is over, never cleared; from then on no handler is called and nothing is parked.
  @exclusivity(unchecked) var isFinishing = false

  init(shared: ListenerShared) throws(HTTPListeningError) {
    self.shared = shared
    handler = { [handler = shared.handler] in handler($0) }
    onExchange = shared.configuration.onExchange.map { tell in { tell($0) } }
    commonLines = CommonLines(shared.commonLines.map(\.self))
    guard let stub = StubResponse() else {
      throw .systemRefused(what: "making a response", reason: String(cString: strerror(errno)))
    }
    self.stub = stub
    inbox = try Inbox()
    poller = try Poller()
    received = .allocate(capacity: Self.receivedBytes)
    received.initialize(repeating: 0)
    now = MonotonicClock.now
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    do {
      for index in 0..<max(1, shared.configuration.daemonsPerLoop) {
        seats.append(Seat(engine: try makeEngine(index)))
      }
      try watch(inbox.descriptor, .becomingReadable, tag: Tag.inbox)
      try watch(shared.socket.descriptor, .readableForOne, tag: Tag.listening)
      for (index, seat) in seats.enumerated() {
        try watch(seat.engine.epollDescriptor, .readable, tag: Tag.firstEngine + UInt64(index))
      }
    } catch {
      stopEngines()
      throw error
    }
  }

  deinit { received.deallocate() }

  /// Hands a message to the loop, from any thread; a loop that has ended drops it.
  func post(_ message: Inbox.Message) {
    if !inbox.post(message) { drop(message) }
  }

  /// Runs until it is stopped.
  func run() {
    standBetween()
    while turn() {}
    finish()
    standAside()
  }

  /// - Returns: False when stopping is done.
  private func turn() -> Bool {
    let count = poller.wait(patience())
    let began = MonotonicClock.now
    now = began
    for index in 0..<count { dispatch(poller.tag(at: index)) }
    readInbox()
    while let slot = deadlines.takeDue(now) { parked[slot]?.timeOut() }
    endLateLingerings()
    if acceptsAt != 0, acceptsAt <= now { resumeAccepting() }
    for index in seats.indices where seats[index].isReady || seats[index].wakesAt <= now { runEngine(index) }
    // Only now that all which had come is read, and by the turn's beginning: a handler may have blocked the loop since,
    // and what came meanwhile is read in the next turn.
    cutOffSlowClients(at: began)
    return !isStopping || (openRequests > 0 && now < stopsBy)
  }

  private func dispatch(_ tag: UInt64) {
    switch tag {
    case Tag.inbox: break
    case Tag.listening: acceptClients()
    case Tag.firstParked... where tag & Self.lingeringMark != 0: dropReceived(tag)
    case Tag.firstParked...: parked.find(tag)?.element.clientLeft()
    default: seats[Int(tag - Tag.firstEngine)].isReady = true
    }
  }

  private func runEngine(_ index: Int) {
    let engine = seats[index].engine
    seats[index].isReady = false
    for _ in 0..<Self.runsInARow {
      switch engine.run() {
      case 0: continue
      case let milliseconds?:
        seats[index].wakesAt = now + milliseconds * 1_000_000
        return
      case nil:
        seats[index].wakesAt = .max
        return
      }
    }
    seats[index].isReady = true
  }

  /// Milliseconds to wait for events.
  private func patience() -> Int32 {
    guard inbox.fallAsleep() else { return 0 }
    var wakesAt = min(deadlines.earliest ?? .max, isStopping ? stopsBy : .max)
    wakesAt = min(wakesAt, lookouts.earliest ?? .max, lingeringDeadlines.earliest ?? .max)
    if acceptsAt != 0 { wakesAt = min(wakesAt, acceptsAt) }
    for seat in seats {
      if seat.isReady { return 0 }
      wakesAt = min(wakesAt, seat.wakesAt)
    }
    if wakesAt == .max { return -1 }
    let now = MonotonicClock.now
    return wakesAt <= now ? 0 : Int32(clamping: (wakesAt - now + 999_999) / 1_000_000)
  }

  func readInbox() {
    inbox.take(&messages)
    for message in messages {
      switch message {
      case .connection(let socket, let peer, let address): adopt(socket, peer, address)
      case .answer(let connection, let reply, let outcome): connection.resume(reply, with: outcome)
      case .wake(let connection, let stream): connection.wake(stream)
      case .endStreams: endStreams()
      case .stop(let by): stop(by: by)
      }
    }
    messages.removeAll(keepingCapacity: messages.count < 1_024)
  }

  private func makeEngine(_ index: Int) throws(HTTPListeningError) -> Engine {
    try Engine(loop: self, index: index, configuration: shared.configuration, identity: shared.identity)
  }

  private func watch(_ descriptor: Int32, _ interest: Poller.Interest, tag: UInt64) throws(HTTPListeningError) {
    guard poller.add(descriptor, interest, tag: tag) else {
      throw .systemRefused(what: "epoll_ctl", reason: String(cString: strerror(errno)))
    }
  }
}
