// SPDX-License-Identifier: MIT
import Locking
import Storing

/// Keeps room in memory, and in the store.
extension SessionHost {
  /// Has sessions leave memory if it is scarce. Sessions that were opened and never used end first. Then stored
  /// sessions leave that nobody has used for long.
  func makeRoom() {
    let leaving = table.leaving()
    for session in leaving.unused {
      session.submit { [table] isolated in
        // A request may have come meanwhile.
        if table.removeUnused(session) { isolated.end(.expired) }
      }
    }
    for session in leaving.idle {
      session.submit { [table] isolated in
        // The session is busy, so other sessions are tried first the next time.
        if isolated.isIdle { isolated.leaveWhenStored() } else { table.noteUse(of: session) }
      }
    }
  }

  /// The bytes that all sessions in memory may take, and the bytes that are counted for them.
  package var memoryLimit: Int { table.budget.limit }
  package var memoryBytes: Int { table.budget.bytes }

  // MARK: The store

  /// The most sessions that the store forgets in one step.
  private static let mostForgotten = 1_000

  /// Looks how much room the store has, and has sessions end if it is scarce. Openings and changes are let in by the
  /// last look. While there is room enough this is one question to the store, once a second.
  func makeRoomInStore() {
    let began = now()
    guard let keeper, keeper.isOpen, keeper.room.withLock({ $0.begin(began) }) else { return }
    let limit = configuration.maxStoreBytes
    keeper.committer.withStore { store throws(StoreError) -> Result<RoomMade, StoreError> in
      let room = try store.room(of: limit)
      keeper.room.withLock { $0.found(room) }
      let surplus = room.surplus
      if surplus.isEmpty { return .success(RoomMade()) }
      let inUse = keeper.room.withLock { $0.passedOver(began) }
      let step = RoomStep(
        surplus, most: Self.mostForgotten, passingOver: inUse, after: self.randomness.base64URL(bytes: 16))
      // A store that cannot end sessions may well commit. It is not thought to fail.
      return Result { () throws(StoreError) in try store.makeRoom(step) { self.isInMemory($0) } }
    } then: { result in
      switch result {
      case .success(let made): self.looked(made, keeper)
      case .failure: keeper.room.withLock { $0.unanswered() }
      }
    }
  }

  private func looked(_ made: Result<RoomMade, StoreError>, _ keeper: SessionKeeper) {
    let now = now()
    let forgotten = (try? made.get().forgotten) ?? 0
    let (bytes, ended) = keeper.room.withLock { ($0.room.bytes, $0.looked(ended: forgotten, now: now)) }
    if let ended {
      services.report(.storeNearlyFull(bytes: bytes, limit: configuration.maxStoreBytes, ended: ended))
    }
    switch made {
    case .success(let made): for id in made.inMemory { endForRoom(id, keeper) }
    case .failure(let error):
      if keeper.room.withLock({ $0.couldNotEnd(now: now) }) { services.report(.roomNotMade(reason: "\(error)")) }
    }
  }

  /// Ends a session in memory. One in which something is under way, or a reader waits, is in use: it stays, and others
  /// come first for a while. Nothing is written for that, as there may be thousands.
  private func endForRoom(_ id: String, _ keeper: SessionKeeper) {
    guard let session = table.inMemory(id) else { return }
    session.submit { [table, now] isolated in
      if isolated.isClosed { return }
      let now = now()
      guard isolated.isIdle else { return keeper.room.withLock { $0.passOver(id, now: now) } }
      isolated.end(.expired)
      table.remove(session)
      keeper.room.withLock { $0.countEnd() }
    }
  }

  /// The bytes that sessions may take in the store, and those that they take, as counted at the last look.
  package var storeLimit: Int { configuration.maxStoreBytes }
  package var storeBytes: Int { keeper?.room.withLock { $0.room.bytes } ?? 0 }
  /// The number of stored sessions that ended for others.
  package var storeEnds: Int { keeper?.room.withLock { $0.ended } ?? 0 }
}
