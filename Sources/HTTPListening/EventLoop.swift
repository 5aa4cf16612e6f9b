// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// One thread that reads requests, runs the handler and sends responses, for the connections dealt to it.
///
/// libmicrohttpd must never wait by itself: with exactly 128·k ready sockets its own loop stalls (0.9.75). So the
/// loop waits on a poller of its own, in which each engine's poller is nested, and runs the engines that are ready.
// @unchecked Sendable: all but the inbox and the constants is touched only on the loop's thread.
final class EventLoop: @unchecked Sendable {
  /// Tags of the poller's events; parked connections have tags from 2³² on.
  private enum Tag {
    static let inbox: UInt64 = 0
    static let listening: UInt64 = 1
    static let firstEngine: UInt64 = 2
    static let firstParked: UInt64 = 1 << 32
  }

  /// An engine and when it wants to run.
  private struct Seat {
    let engine: Engine
    var isReady = false
    /// Time of `MonotonicClock`; `UInt64.max` if only an event makes it ready.
    var wakesAt = UInt64.max
    var connections = 0
  }

  /// Connections an engine gets before the next one gets any: an engine that runs for several requests at once costs
  /// each of them less, and with so few, answering a waiting one costs nothing to speak of.
  private static let connectionsBeforeNext = 64

  /// Runs of one engine in a row, so that a busy one does not starve the others.
  private static let runsInARow = 4
  /// Connections accepted in a row.
  private static let acceptsInARow = 64
  /// How long nothing is accepted after descriptors ran out, in nanoseconds.
  private static let acceptPause: UInt64 = 100_000_000

  let shared: ListenerShared
  private let inbox: Inbox
  private let poller: Poller
  @exclusivity(unchecked) private var seats: [Seat] = []
  private var parked = ParkingTable()
  private var deadlines = DeadlineHeap()
  private var messages: [Inbox.Message] = []
  /// The time of this turn.
  @exclusivity(unchecked) private var now: UInt64 = 0
  /// When accepting goes on; 0 while it goes on.
  private var acceptsAt: UInt64 = 0
  /// A descriptor given up for a moment to refuse a client when there are no others; -1 if there is none.
  private var spare: Int32

  /// Requests whose line was read and that are not over.
  @exclusivity(unchecked) var openRequests = 0
  /// Set by `stop`, never cleared; from then on every response closes its connection.
  @exclusivity(unchecked) private(set) var isStopping = false
  private var stopsBy = UInt64.max

  init(shared: ListenerShared) throws(HTTPListeningError) {
    self.shared = shared
    inbox = try Inbox()
    poller = try Poller()
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    do {
      for index in 0..<max(1, shared.configuration.daemonsPerLoop) {
        seats.append(Seat(engine: try Engine(loop: self, index: index, configuration: shared.configuration)))
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

  /// Hands a message to the loop, from any thread; a loop that has ended drops it.
  func post(_ message: Inbox.Message) {
    if !inbox.post(message) { drop(message) }
  }

  /// Runs until it is stopped.
  func run() {
    while turn() {}
    finish()
  }

  /// - Returns: False when stopping is done.
  private func turn() -> Bool {
    let count = poller.wait(patience())
    now = MonotonicClock.now
    for index in 0..<count { dispatch(poller.tag(at: index)) }
    readInbox()
    while let slot = deadlines.takeDue(now) { parked.connection(at: slot)?.end(.timedOut) }
    if acceptsAt != 0, acceptsAt <= now { resumeAccepting() }
    for index in seats.indices where seats[index].isReady || seats[index].wakesAt <= now { runEngine(index) }
    return !isStopping || (openRequests > 0 && now < stopsBy)
  }

  private func dispatch(_ tag: UInt64) {
    switch tag {
    case Tag.inbox: break
    case Tag.listening: acceptClients()
    case Tag.firstParked...: parked.connection(tagged: tag)?.clientLeft()
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
    if acceptsAt != 0 { wakesAt = min(wakesAt, acceptsAt) }
    for seat in seats {
      if seat.isReady { return 0 }
      wakesAt = min(wakesAt, seat.wakesAt)
    }
    if wakesAt == .max { return -1 }
    let now = MonotonicClock.now
    return wakesAt <= now ? 0 : Int32(clamping: (wakesAt - now + 999_999) / 1_000_000)
  }

  private func readInbox() {
    inbox.take(&messages)
    for message in messages {
      switch message {
      case .connection(let socket, let peer): adopt(socket, peer)
      case .answer(let connection, let reply, let response): connection.resume(reply, with: response)
      case .stop(let by): stop(by: by)
      }
    }
    messages.removeAll(keepingCapacity: messages.count < 1_024)
  }

  private func watch(_ descriptor: Int32, _ interest: Poller.Interest, tag: UInt64) throws(HTTPListeningError) {
    guard poller.add(descriptor, interest, tag: tag) else {
      throw .systemRefused(what: "epoll_ctl", reason: String(cString: strerror(errno)))
    }
  }

  // MARK: Connections

  private func acceptClients() {
    guard !isStopping else { return }
    for _ in 0..<Self.acceptsInARow {
      switch shared.socket.accept() {
      case .nobodyWaits:
        return
      case .connected(let socket, let peer):
        guard shared.admitsConnection() else {
          close(socket)
          continue
        }
        let loop = shared.nextLoop()
        if loop === self { adopt(socket, peer) } else { loop.post(.connection(socket, peer)) }
      case .exhausted:
        guard refuseClient() else { return pauseAccepting() }
      }
    }
  }

  /// Closes one waiting client with the spare descriptor's place.
  private func refuseClient() -> Bool {
    guard spare >= 0 else { return false }
    close(spare)
    if case .connected(let socket, _) = shared.socket.accept() { close(socket) }
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    return spare >= 0
  }

  private func pauseAccepting() {
    poller.remove(shared.socket.descriptor)
    acceptsAt = now + Self.acceptPause
  }

  private func resumeAccepting() {
    acceptsAt = 0
    if spare < 0 { spare = open("/dev/null", O_RDONLY | O_CLOEXEC) }
    if !isStopping, !poller.add(shared.socket.descriptor, .readableForOne, tag: Tag.listening) { pauseAccepting() }
  }

  private func adopt(_ socket: Int32, _ peer: PeerAddress) {
    guard !isStopping else {
      close(socket)
      return shared.connectionClosed()
    }
    let index = emptiestSeat()
    seats[index].connections += 1
    if !seats[index].engine.add(socket: socket, peer: peer) { connectionClosed(engineIndex: index) }
    seats[index].isReady = true
  }

  private func emptiestSeat() -> Int {
    var best = 0
    for index in seats.indices {
      if seats[index].connections < Self.connectionsBeforeNext { return index }
      if seats[index].connections < seats[best].connections { best = index }
    }
    return best
  }

  /// A connection given to an engine is closed.
  func connectionClosed(engineIndex: Int) {
    seats[engineIndex].connections -= 1
    shared.connectionClosed()
  }

  // MARK: Parking

  /// Watches a suspended connection for its client and its deadline.
  /// - Returns: Its slot.
  func park(_ connection: Connection, deadline: Duration?) -> Int {
    let (slot, tag) = parked.park(connection)
    // Refused only for want of memory; the wait then ends by its deadline alone.
    _ = poller.add(connection.engine.socket, .hangUp, tag: tag)
    if let deadline {
      deadlines.insert(slot: slot, deadline: MonotonicClock.now + MonotonicClock.nanoseconds(deadline))
    }
    if isStopping { post(.stop(by: stopsBy)) }
    return slot
  }

  /// Ends the watch. To be called before the connection is resumed.
  func unpark(_ connection: Connection, slot: Int) {
    poller.remove(connection.engine.socket)
    deadlines.remove(slot: slot)
    parked.leave(slot)
    // A resume makes no descriptor of the engine readable in time, and its timeout does not count it.
    seats[connection.engineIndex].isReady = true
  }

  // MARK: Stopping

  private func stop(by time: UInt64) {
    if !isStopping, acceptsAt == 0 { poller.remove(shared.socket.descriptor) }
    isStopping = true
    stopsBy = min(stopsBy, time)
    for connection in parked.connections { connection.end(.stopping) }
  }

  /// Answers what is still parked, because libmicrohttpd aborts if it is stopped with a suspended connection.
  private func finish() {
    readInbox()
    for connection in parked.connections { connection.force(HTTPResponse(status: 503, fields: [], body: [])) }
    readInbox()
    for seat in seats { for _ in 0..<Self.runsInARow { _ = seat.engine.run() } }
    precondition(parked.count == 0, "\(parked.count) requests are still parked after every one was answered")
    for message in inbox.close() { drop(message) }
    stopEngines()
  }

  /// Ends a loop that never ran.
  func abandon() {
    for message in inbox.close() { drop(message) }
    stopEngines()
  }

  private func stopEngines() {
    for seat in seats { seat.engine.stop() }
    if spare >= 0 { close(spare) }
    spare = -1
  }

  private func drop(_ message: Inbox.Message) {
    switch message {
    case .connection(let socket, _):
      close(socket)
      shared.connectionClosed()
    case .answer, .stop:
      break
    }
  }
}
