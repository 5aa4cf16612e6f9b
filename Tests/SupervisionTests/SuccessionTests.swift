// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import EuripusApp

/// The servers of a supervisor, as numbers: there are no processes, and a test sets the time.
struct `The state of a supervisor` {
  private typealias State = Succession<Int>
  private typealias Action = Succession<Int>.Action

  private static let crash = RestartPolicy.Ending.killed(signal: SIGSEGV)
  private static let asTold = RestartPolicy.Ending.exited(status: 0)
  private let now = ContinuousClock.now
  private var deadline: ContinuousClock.Instant { now + .seconds(10) }

  private func noDecision() -> RestartPolicy.Decision {
    Issue.record("the policy was asked")
    return .end(status: 1)
  }

  @Test func `has a server end when its successor is prepared, and the successor serve when that has ended`() {
    var state = State.occupied(1, successor: nil)
    #expect(state.askForSuccessor() == [.startSuccessor])
    state.successorStarted(2)
    #expect(state.successorPrepared(deadline: deadline) == [.signal(1, SIGTERM)])
    #expect(state == .leaving(1, for: 2, by: deadline))
    #expect(state.serverEnded(Self.asTold, at: now, noDecision) == [.giveTurn(2)])
    #expect(state == .succeeding(2))
    #expect(state.serves() == [.keepProgram(2)])
    #expect(state == .occupied(2, successor: nil))
    #expect(state.serves() == [])
  }

  @Test func `starts a server again when the policy says, while there is no other program`() {
    var state = State.occupied(1, successor: nil)
    #expect(state.serverEnded(Self.crash, at: now) { .restart(after: .seconds(3)) } == [])
    #expect(state.reach(now + .seconds(2)) == [])
    #expect(state.reach(now + .seconds(3)) == [.start])
    state.startFailed(at: now + .seconds(3), .restart(after: .seconds(1)))
    #expect(state.reach(now + .seconds(4)) == [.start])
    state.started(2)
    #expect(state == .occupied(2, successor: nil))
    #expect(state.serverEnded(Self.crash, at: now) { .end(status: 139) } == [])
    #expect(state == .ended(status: 139))
  }

  @Test func `has a prepared successor serve, where a server waits to be started again`() {
    var state = State.vacant(until: now + .seconds(5), successor: 2)
    #expect(state.successorPrepared(deadline: deadline) == [.giveTurn(2)])
    #expect(state == .succeeding(2))
    #expect(state.due == nil)
  }

  @Test func `keeps the server if a successor ends before it is prepared, and starts the next that is asked for`() {
    var state = State.occupied(1, successor: 2)
    #expect(state.successorEnded(Self.crash) == [.notReplaced(2, Self.crash)])
    #expect(state == .occupied(1, successor: nil))
    #expect(state.askForSuccessor() == [.startSuccessor])
  }

  @Test func `gives up a successor that is not prepared, when another is asked for, and none that is`() {
    #expect(State.occupied(1, successor: 2).askForSuccessor() == [.signal(2, SIGKILL)])
    #expect(State.vacant(until: now, successor: 2).askForSuccessor() == [.signal(2, SIGKILL)])
    #expect(State.leaving(1, for: 2, by: deadline).askForSuccessor() == [])
    #expect(State.succeeding(2).askForSuccessor() == [])
  }

  @Test func `starts the program before it again, if a successor dies after it was prepared`() {
    var state = State.leaving(1, for: 2, by: deadline)
    #expect(state.successorEnded(Self.crash) == [.notReplaced(2, Self.crash)])
    #expect(state == .forsaken(1, successor: nil, by: deadline))
    #expect(state.serverEnded(Self.asTold, at: now, noDecision) == [])
    #expect(state.reach(now) == [.start])
  }

  @Test func `lets another successor take the place of one that died, if it is prepared in time`() {
    var state = State.forsaken(1, successor: nil, by: deadline)
    #expect(state.askForSuccessor() == [.startSuccessor])
    state.successorStarted(3)
    var late = state
    // The server has been told to end already.
    #expect(state.successorPrepared(deadline: deadline + .seconds(1)) == [])
    #expect(state == .leaving(1, for: 3, by: deadline))
    #expect(late.serverEnded(Self.asTold, at: now, noDecision) == [])
    #expect(late.reach(now) == [.start])
    late.started(4)
    #expect(late == .occupied(4, successor: 3))
  }

  @Test func `starts the program before it again, if a successor dies after its turn came`() {
    var state = State.succeeding(2)
    #expect(state.serverEnded(Self.crash, at: now, noDecision) == [.notReplaced(2, Self.crash)])
    #expect(state.reach(now) == [.start])
  }

  @Test func `has a server killed once that does not end in time, with a successor and without`() {
    for state in [State.leaving(1, for: 2, by: deadline), .forsaken(1, successor: nil, by: deadline)] {
      var state = state
      #expect(state.reach(deadline - .nanoseconds(1)) == [])
      #expect(state.reach(deadline) == [.endOverdue(1)])
      #expect(state.reach(deadline + .seconds(1)) == [])
      #expect(state.server == 1)
    }
  }

  @Test func `gives a server all the time to end that its settings allow it, and 10 s more`() {
    #expect(Supervising.longestStop(drainTime: .zero, stopGrace: .zero) == .seconds(10))
    #expect(Supervising.longestStop(drainTime: .seconds(30), stopGrace: .seconds(4)) == .seconds(48))
  }

  @Test func `passes a signal to end on, but not to a server that ends already, unless it is the second`() {
    var state = State.occupied(1, successor: 2)
    #expect(state.stop(by: SIGTERM) == [.dismiss(2), .signal(1, SIGTERM)])
    #expect(state == .stopping(1))
    for leaving in [State.leaving(1, for: 2, by: deadline), .forsaken(1, successor: 2, by: deadline)] {
      var state = leaving
      #expect(state.stop(by: SIGTERM) == [.dismiss(2)])
      #expect(state.stop(by: SIGINT) == [.signal(1, SIGINT)])
      #expect(state == .stopping(1))
      var harsh = leaving
      #expect(harsh.stop(by: SIGQUIT) == [.dismiss(2), .signal(1, SIGQUIT)])
    }
    var vacant = State.vacant(until: now, successor: 2)
    #expect(vacant.stop(by: SIGTERM) == [.dismiss(2)])
    #expect(vacant == .ended(status: 0))
  }

  @Test func `never has two servers with the store, loses none, and kills none twice, in any order of events`() {
    var worlds = 0
    func visit(_ world: World, _ depth: Int) {
      worlds += 1
      guard depth > 0 else { return }
      for event in World.Event.allCases {
        var next = world
        if next.take(event) { visit(next, depth - 1) }
      }
    }
    visit(World(), 7)
    #expect(worlds > 10_000)
  }
}

/// A supervisor's actions done in a world of numbers.
private struct World {
  enum Event: CaseIterable { case due, startFails, asked, told, prepared, serves, serverEnded, successorEnded }

  private var state = Succession<Int>.vacant(until: .now, successor: nil)
  /// The servers that live and may use the store, and those that wait.
  private var (owners, waiting): (Set<Int>, Set<Int>) = ([], [])
  private var killed: Set<Int> = []
  private var last = 0

  /// - Returns: `false` for an event that cannot happen now.
  mutating func take(_ event: Event) -> Bool {
    let now = state.due ?? .now
    switch event {
    case .due:
      if state.due == nil { return false }
      perform(state.reach(now))
    case .startFails:
      guard case .vacant = state else { return false }
      #expect(state.reach(now) == [.start])
      state.startFailed(at: now, .restart(after: .seconds(1)))
    case .asked: perform(state.askForSuccessor())
    case .told: perform(state.stop(by: SIGTERM))
    case .prepared:
      if state.successor == nil { return false }
      perform(state.successorPrepared(deadline: now + .seconds(1)))
    case .serves:
      if state.server == nil { return false }
      perform(state.serves())
    case .serverEnded:
      guard let server = state.server else { return false }
      owners.remove(server)
      let decision: RestartPolicy.Decision = state.isStopping ? .end(status: 0) : .restart(after: .seconds(1))
      perform(state.serverEnded(.killed(signal: SIGSEGV), at: now) { decision })
    case .successorEnded:
      guard let successor = state.successor else { return false }
      waiting.remove(successor)
      perform(state.successorEnded(.killed(signal: SIGSEGV)))
    }
    #expect(owners == Set([state.server].compactMap { $0 }), "\(state) after \(event)")
    #expect(waiting == Set([state.successor].compactMap { $0 }), "\(state) after \(event)")
    return true
  }

  private mutating func perform(_ actions: [Succession<Int>.Action]) {
    for action in actions {
      switch action {
      case .start:
        last += 1
        owners.insert(last)
        state.started(last)
      case .startSuccessor:
        last += 1
        waiting.insert(last)
        state.successorStarted(last)
      case .endOverdue(let server):
        #expect(owners.contains(server) && killed.insert(server).inserted)
      case .dismiss(let successor): #expect(waiting.remove(successor) != nil)
      case .giveTurn(let successor):
        #expect(waiting.remove(successor) != nil && owners.isEmpty)
        owners.insert(successor)
      case .signal(let server, _): #expect(owners.contains(server) || waiting.contains(server))
      case .keepProgram(let server): #expect(owners.contains(server))
      case .notReplaced(let server, _): #expect(!owners.contains(server) && !waiting.contains(server))
      }
    }
  }
}
