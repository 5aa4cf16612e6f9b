// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
package import Storing

extension PostgreSQLStore {
  /// Claims sessions. The numbers of the offered claims do not count: the store gives its own.
  ///
  /// A claim, and the state that is read by it, survive a crash of the database, whatever is asked of changes. If only
  /// the claim were lost, its owner would lose the session together with all that it has changed since.
  package func claim(
    _ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void
  ) {
    do throws(StoreError) {
      try checkOpen()
      answer(try explained { () throws(PostgreSQLFailure) in try claimed(claims) })
    } catch { answer(claims.map { _ in .failed(error) }) }
  }

  private func claimed(_ offers: [ClaimOffer]) throws(PostgreSQLFailure) -> [ClaimOutcome] {
    _ = try connected()
    var asked: [String: ClaimOffer] = [:]
    for offer in offers where offer.id.canBeStored { asked[offer.id] = offer }
    // Sorted, as all servers do: two servers that claim the same sessions must not wait for each other.
    let ids = asked.keys.sorted(by: bytewise)
    let gone = watch.withLock { $0.gone(.now) }
    let lists = [gone.map { "\($0.boot)" }, gone.map { "\($0.beats)" }].map {
      PostgreSQLConnection.Value.text("{\($0.joined(separator: ","))}")
    }
    let known = schemas.withLock { $0 }
    var steps: [Step] = [(Statements.flush, [])]
    for id in ids {
      let other = asked[id]?.evenFrom
      let claim =
        [.text(id), .number(boot)] + lists
        + [.number(other?.boot ?? 0), .number(other?.number ?? 0), knownSchemas, .optional(Closing.superseded.bytes)]
      steps += [(Statements.claim, claim), (Statements.readClaimed, [.text(id)]), (Statements.readParts, [.text(id)])]
    }
    let answers = try run(steps)
    var outcomes: [String: ClaimOutcome] = [:]
    for (index, id) in ids.enumerated() {
      guard let found = answers[3 * index + 2].rows.first else { continue }
      let (row, node) = (PostgreSQLSessionRow(found), node(in: found))
      let isFree = node == nil || asked[id]?.evenFrom == row.state.claim || gone.contains { $0.boot == node?.boot }
      // Another node may have written between the reads of the row and of its parts. The claim holds a row of
      // this node, so only there the parts are sure to fit.
      let isOurs = row.state.claim.boot == boot
      let session = isOurs ? Self.withParts(row, answers[3 * index + 3].rows.map { StoredPart($0) }) : row.session
      outcomes[id] =
        isFree && !knows(row, known) ? .failed(laterVersion(row)) : try outcome(row, session, node, isFree: isFree)
    }
    return offers.map { outcomes[$0.id] ?? .none }
  }

  /// The node that has the session of a row of `read_claimed`; `nil` if others cannot reach it.
  private func node(in row: PostgreSQLConnection.Answer.Row) -> Node? {
    if row.isNull(PostgreSQLSessionRow.columns) { return nil }
    return Node(
      boot: UInt64(bitPattern: row.integer(3)), url: row.text(PostgreSQLSessionRow.columns),
      token: row.text(PostgreSQLSessionRow.columns + 1))
  }

  /// The latest schema that this node knows of each view model, as the text of a JSON object.
  ///
  /// It is NULL if the node takes all sessions.
  var knownSchemas: PostgreSQLConnection.Value {
    guard let known = schemas.withLock({ $0 }) else { return .null }
    var writer = JSONWriter(capacity: 256)
    writer.json(.object(known.map { JSON.Member(name: $0.key, value: .integer(Int64($0.value))) }))
    return .text(String(decoding: writer.bytes, as: UTF8.self))
  }

  /// Whether this node knows a session's view model and schema.
  ///
  /// Also true if the node takes all sessions, or has this one, and if the session is closed or cannot be read.
  private func knows(_ row: PostgreSQLSessionRow, _ schemas: [String: UInt32]?) -> Bool {
    guard let schemas, row.state.claim.boot != boot, case .success(.living(let record)) = row.session else {
      return true
    }
    return schemas[record.model].map { $0 >= record.schema } ?? false
  }

  private func laterVersion(_ row: PostgreSQLSessionRow) -> StoreError {
    StoreError(
      .newer,
      "session \(row.id) is of a view model, or of a schema, that this version of the program does not know: it is left to servers "
        + "of a later one")
  }

  private func outcome(
    _ row: PostgreSQLSessionRow, _ session: PostgreSQLSessionRow.Session, _ node: Node?, isFree: Bool
  ) throws(PostgreSQLFailure) -> ClaimOutcome {
    switch session {
    case .success(.living) where row.state.claim.boot != boot:
      if let node { return .elsewhere(Whereabouts(node: node, claim: row.state.claim)) }
      // The node that had it has closed the store since.
      return .failed(
        StoreError(.unavailable, "session \(row.id) was let go while it was claimed; expected the request once more"))
    case .success(.living(let record)): return .held(record, row.state.claim)
    case .success(.closed(let closed)): return .closed(closed)
    case .failure(let unreadable):
      // Its owner has it in memory, and writes the row anew.
      if let node, !isFree, row.state.claim.boot != boot {
        return .elsewhere(Whereabouts(node: node, claim: row.state.claim))
      }
      _ = try run(
        Statements.setAsideUnread, [.text(row.id), .integer(row.checksum), .text(unreadable.reason)])
      return .setAside(unreadable.error(row.id, place))
    }
  }

  package func read(_ id: String) throws(StoreError) -> StoredSession? {
    try checkOpen()
    guard id.canBeStored else { return nil }
    let sessions = try explained { () throws(PostgreSQLFailure) in
      try read(Statements.readOne, Statements.readParts, [.text(id)])
    }
    return try? sessions.first?.session.get()
  }

  package func sessions(
    of owner: Credential, then answer: @escaping @Sendable (Result<[OwnedSession], StoreError>) -> Void
  ) {
    look([.sessions(of: owner, then: answer)])
  }

  package func look(_ looks: [StoreLook]) {
    do throws(StoreError) {
      try checkOpen()
      let answers = try explained { () throws(PostgreSQLFailure) in
        try run(
          looks.map { look in
            switch look {
            case .client(let credential, _): (Statements.findClient, [.blob(credential.bytes)])
            case .sessions(let owner, _): (Statements.readOwned, [.blob(owner.bytes)])
            }
          })
      }
      for (look, answer) in zip(looks, answers) {
        switch look {
        case .client(_, let then): then(.success(Self.clients(in: answer).first))
        case .sessions(_, let then):
          then(.success(answer.rows.compactMap { try? OwnedSession(PostgreSQLSessionRow($0).session.get()) }))
        }
      }
    } catch {
      for look in looks { look.fail(error) }
    }
  }
}

extension String {
  /// Whether PostgreSQL can store the text: it has no character 0. A session's id has none, but a path that somebody
  /// typed may.
  var canBeStored: Bool { !utf8.contains(0) }
}

/// The order of the table's ids: that of their bytes.
func bytewise(_ first: String, _ second: String) -> Bool { first.utf8.lexicographicallyPrecedes(second.utf8) }

extension PostgreSQLSessionRow.Unreadable {
  func error(_ id: String, _ place: String) -> StoreError {
    StoreError(
      .damaged,
      "what the session store \(place) has of session \(id) cannot be read: \(reason). It was put aside as it is, in the table "
        + "euripus_set_aside; the session is lost unless it is put back from a backup")
  }
}
