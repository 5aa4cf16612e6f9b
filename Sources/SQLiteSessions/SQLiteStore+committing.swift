// SPDX-License-Identifier: MIT
package import Storing

extension SQLiteStore {
  package func commit(
    _ changes: [StoreChange], survivesPowerCut: Bool, then answer: @escaping @Sendable ([CommitOutcome]) -> Void
  ) {
    answer(committed(changes, survivesPowerCut))
  }

  private func committed(_ changes: [StoreChange], _ survivesPowerCut: Bool) -> [CommitOutcome] {
    let connection: StoreConnection
    do throws(StoreError) { connection = try reached() } catch {
      return changes.map { _ in .refused(error) }
    }
    do throws(SQLiteFailure) {
      let outcomes = try transaction(in: connection, survivesPowerCut: survivesPowerCut) {
        () throws(SQLiteFailure) in
        var outcomes: [CommitOutcome] = []
        for change in changes { outcomes.append(try apply(change, in: connection)) }
        return outcomes
      }
      for change in changes { connection.unwrittenClaims[change.id] = nil }
      return outcomes
    } catch {
      // A change that does not fit, or meets a damaged page, is refused alone: each is tried by itself.
      let isPartial = changes.count > 1 && (error.kind == .full || error.kind == .damaged)
      if isPartial { return changes.flatMap { committed([$0], survivesPowerCut) } }
      let explained = error.explained(path)
      return changes.map { _ in error.isPassing ? .unknown(explained) : .refused(explained) }
    }
  }

  /// Commits a change in a transaction that has begun. After any other outcome than `durable` that is undone.
  func commit(_ change: StoreChange, in connection: StoreConnection) -> CommitOutcome {
    do throws(SQLiteFailure) {
      let outcome = try apply(change, in: connection)
      guard outcome == .durable else {
        rollBack(in: connection)
        return outcome
      }
      try commitTransaction(in: connection)
      connection.unwrittenClaims[change.id] = nil
      return .durable
    } catch {
      rollBack(in: connection)
      let explained = error.explained(path)
      return error.isPassing ? .unknown(explained) : .refused(explained)
    }
  }

  private func apply(_ change: StoreChange, in connection: StoreConnection) throws(SQLiteFailure) -> CommitOutcome {
    let statements = connection.statements
    let found = try statements.find.rows(.text(change.id)) { row in
      (
        row: row.integer(0),
        state: StoredState(
          claim: SessionClaim(boot: UInt64(bitPattern: row.integer(1)), number: UInt64(bitPattern: row.integer(2))),
          number: UInt64(bitPattern: row.integer(3)), isClosed: row.integer(4) != 0),
        isOfUser: row.integer(5) != 0, network: row.integer(6)
      )
    }.first
    var state = found?.state
    if let found, let (claim, before) = connection.unwrittenClaims[change.id], claim == change.claim, before == state {
      try write(claim, on: found.row, in: connection)
      state = StoredState(claim: claim, number: 0, isClosed: false)
    }
    switch change.verdict(on: state) {
    case .fenced: return .fenced
    case .isDone: return .durable
    case .isBehind: return .behind
    case .isTaken: break
    }
    let number = SQLiteDatabase.Statement.Value.integer(Int64(bitPattern: change.number))
    switch (change.content, found?.row) {
    case (.record(let record), let row?):
      if found?.network == 0, record.network != 0 {
        try statements.takeNetwork.run(.integer(row), .integer(record.network), .integer(Int64(record.room)))
      }
      try statements.update.run(
        .integer(row), number, .integer(Int64(bitPattern: record.revision)), .integer(Int64(record.schema)),
        .integer(record.lastUsed), .checksum(.living(record)), .blob(record.state), .blob(record.keys),
        .context(record.context), .wakesAt(record.wakesAt), .integer(Int64(record.partCount)),
        .integer(Int64(record.partBytes)), .integer(Int64(record.room)))
      // Apart, as an index has it.
      if found?.isOfUser != record.isOfUser {
        try statements.setOfUser.run(.integer(row), .integer(record.isOfUser ? 1 : 0))
      }
      try put(record.parts, of: record.id, in: connection)
    case (.record(let record), nil):
      try statements.insert.run(
        .text(record.id), .text(record.model), .blob(record.owner.bytes),
        .integer(Int64(bitPattern: change.claim.boot)), .integer(Int64(bitPattern: change.claim.number)), number,
        .request(record.opening), .null, .null, .integer(Int64(bitPattern: record.revision)),
        .integer(Int64(record.schema)), .integer(record.lastUsed), .checksum(.living(record)), .blob(record.state),
        .blob(record.keys), .context(record.context), .wakesAt(record.wakesAt), .integer(Int64(record.partCount)),
        .integer(Int64(record.partBytes)), .integer(record.network), .integer(record.isOfUser ? 1 : 0),
        .integer(Int64(record.room)))
      try put(record.parts, of: record.id, in: connection)
    case (.closed(let closed), let row?):
      try statements.close.run(
        .integer(row), number, .closing(closed.closing), .integer(closed.until), .checksum(.closed(closed)))
      try statements.removeParts.run(.text(closed.id))
    case (.closed(let closed), nil):
      try statements.insert.run(
        .text(closed.id), .text(closed.model), .blob(closed.owner.bytes),
        .integer(Int64(bitPattern: change.claim.boot)), .integer(Int64(bitPattern: change.claim.number)), number,
        .request(closed.opening), .closing(closed.closing), .integer(closed.until), .integer(0), .integer(0),
        .integer(0),
        .checksum(.closed(closed)), .blob([]), .blob([]), .null, .null, .integer(0), .integer(0),
        .integer(0), .integer(0), .integer(Int64(StoreRoom.page)))
    case (.removed, let row?): try forget(row, change.id, in: connection)
    case (.setAside(let reason), let row?): try setAside(row, change.id, reason, in: connection)
    case (.removed, nil), (.setAside, nil): break
    }
    return .durable
  }

  func setAside(
    _ row: Int64, _ id: String, _ reason: String, in connection: StoreConnection
  ) throws(SQLiteFailure) {
    try connection.statements.setAside.run(.integer(row), .text(reason))
    try connection.statements.setPartsAside.run(.text(id))
    try forget(row, id, in: connection)
  }

  func forget(_ row: Int64, _ id: String, in connection: StoreConnection) throws(SQLiteFailure) {
    try connection.statements.removeParts.run(.text(id))
    try connection.statements.delete.run(.integer(row))
  }
}

extension SQLiteDatabase.Statement.Value {
  fileprivate static func request(_ request: KeyedRequest?) -> Self { request.map { .blob($0.bytes) } ?? .null }
  fileprivate static func context(_ context: [UInt8]?) -> Self { context.map { .blob($0) } ?? .null }
  fileprivate static func wakesAt(_ time: Int64?) -> Self { time.map { .integer($0) } ?? .null }
  fileprivate static func closing(_ closing: Closing) -> Self { closing.bytes.map { .blob($0) } ?? .null }
  fileprivate static func checksum(_ session: StoredSession) -> Self { .integer(Int64(bitPattern: session.checksum)) }
}
