// SPDX-License-Identifier: MIT
import Testing

@testable import HTTPListening

/// Every order of the events of both sides, up to a length, and the claims that must hold in all of them.
@Suite struct StreamStateTests {
  private enum Event: CaseIterable {
    case fetch, wait, wake, give, finish, breakOff, lose
  }

  private struct Broken: Error {}

  private struct Violation: Error {
    let events: [Event]
  }

  // `#expect` would cost a hundred times as much, and this runs a hundred thousand times.
  private static func hold(_ claim: Bool) throws { if !claim { throw Broken() } }

  /// A connection and an owner that keep their sides of the contract, and the bytes that they have seen.
  private struct World {
    var state = StreamState<Int>()
    var isSuspended = false
    /// The owner was asked and has not given the piece.
    var isAsked = false
    /// The connection has not been told to end.
    var isOpen = true
    var isLost = false
    var isFinished = false
    var isBroken = false
    /// Nothing more is taken from the owner.
    var isOver: Bool { isFinished || isBroken || isLost }
    /// The connection's next step if it is awake; nil before it fetched and after it wrote.
    var step: StreamState<Int>.Step?
    var given: [UInt8] = []
    var written: [UInt8] = []

    /// Whether the contract allows the event now.
    func allows(_ event: Event) -> Bool {
      switch event {
      case .fetch: !isSuspended && isOpen && !isLost
      case .wait: !isSuspended && step == .wait && !isLost
      case .wake: isSuspended
      case .give: isAsked
      case .finish, .breakOff: true
      case .lose: !isLost
      }
    }

    mutating func apply(_ event: Event) throws {
      switch event {
      case .fetch: try fetch()
      case .wait:
        let waits = state.wait(7)
        // The connection never goes to sleep while there is something to fetch.
        try StreamStateTests.hold(waits == (given == written && !isFinished && !isBroken))
        isSuspended = waits
        step = nil
      case .wake:
        state.wake()
        isSuspended = false
      case .give:
        let piece = UInt8(given.count + 1)
        let (isTaken, wakes) = state.give([piece])
        try expectTaken(isTaken, wakes)
        isAsked = false
        if isTaken { given.append(piece) }
      case .finish:
        // An end has a rest or none.
        let rest: [UInt8] = given.count.isMultiple(of: 2) ? [] : [0]
        let (isTaken, wakes) = state.finish(rest)
        try expectTaken(isTaken, wakes)
        if isTaken {
          given += rest
          isFinished = true
        }
      case .breakOff:
        let wakes = state.breakOff()
        try StreamStateTests.hold((wakes != nil) == (isSuspended && !isOver && given == written))
        isBroken = isBroken || !isOver
      case .lose:
        let isNews = state.lose()
        try StreamStateTests.hold(isNews == !(isFinished || isBroken))
        isLost = true
      }
    }

    private mutating func fetch() throws {
      let next = state.fetch()
      step = next
      switch next {
      case .write(let bytes):
        // All that is there is written at once, also a piece that was given before the end.
        written += bytes
        try StreamStateTests.hold(!bytes.isEmpty && given == written)
      case .ask:
        try StreamStateTests.hold(!isAsked)
        isAsked = true
      case .wait: try StreamStateTests.hold(isAsked && given == written)
      case .end:
        try StreamStateTests.hold(isFinished && given == written)
        isOpen = false
      case .breakOff:
        try StreamStateTests.hold(isBroken)
        isOpen = false
      }
    }

    private func expectTaken(_ isTaken: Bool, _ wakes: Int?) throws {
      try StreamStateTests.hold(isTaken == !isOver)
      // The first bytes wake a connection that sleeps. A connection that is awake is not woken.
      try StreamStateTests.hold((wakes != nil) == (isTaken && isSuspended && given == written))
    }
  }

  @Test func `in every order of events each piece is written once, in order, and no connection sleeps on one`() throws {
    var count = 0
    func explore(_ world: World, after events: [Event]) throws {
      count += 1
      guard events.count < 10 else { return }
      for event in Event.allCases where world.allows(event) {
        var next = world
        do { try next.apply(event) } catch { throw Violation(events: events + [event]) }
        try explore(next, after: events + [event])
      }
    }
    try explore(World(), after: [])
    #expect(count > 10_000)
  }
}
