// SPDX-License-Identifier: MIT
import Locking
package import Storing

/// This server as one of several. Its signs have a connection of their own: a slow commit must not make it seem
/// gone.
extension PostgreSQLStore {
  package func hosts(_ schemas: [String: UInt32]) { self.schemas.withLock { $0 = schemas } }

  package var isShared: Bool { nodeURL != nil }

  package func gone(_ now: ContinuousClock.Instant) -> [UInt64] { watch.withLock { $0.gone(now).map(\.boot) } }

  package func askToEnd(_ id: String, as closing: Closing) throws(StoreError) {
    try checkOpen()
    try explained { () throws(PostgreSQLFailure) in
      let ask: Step = (Statements.askToEnd, [.text(id), .optional(closing.bytes)])
      _ = try run([ask] + steps(telling: .end(id)))
    }
  }

  package func keep(_ ids: [String], insteadOf closing: Closing) throws(StoreError) {
    try checkOpen()
    try explained { () throws(PostgreSQLFailure) in
      // Sorted, as all servers do: two that write the same sessions must not wait for each other.
      let steps = ids.sorted(by: bytewise).map { id -> Step in
        (Statements.keep, [.text(id), .number(boot), .optional(closing.bytes)])
      }
      _ = try run(steps)
    }
  }

  package func askedEnds(among ids: [String]) throws(StoreError) -> [String: Closing] {
    try checkOpen()
    return try explained { () throws(PostgreSQLFailure) in
      let rows = try run(Statements.askedEnds, [.ids(ids)]).rows
      return rows.reduce(into: [:]) { $0[$1.text(0)] = Closing(bytes: $1.blob(1)) }
    }
  }

  /// The steps that send a notice to all nodes; none where there are no others.
  func steps(telling notice: NodeNotice) -> [Step] {
    guard isShared, let text = notice.text, text.canBeStored else { return [] }
    return [(Statements.notify, [.text(text)])]
  }

  package func beat(
    _ now: ContinuousClock.Instant, lookingFor sessions: (_ mayHaveMissed: Bool) -> [String]?
  ) throws(StoreError) -> NodeSign {
    guard let token else { throw notOpen }
    let isNew = presence == nil
    let me = PostgreSQLConnection.Value.number(boot)
    let began = ContinuousClock.now
    var steps: [Step] = [(Statements.beat, [me, .text(token)]), (Statements.others, [me])]
    let ids = sessions(isNew)
    // After the sign, in its transaction: a claim that did not see the sign is done by then, as it locks the row that
    // the sign writes.
    if let ids { steps.append((Statements.taken, [.ids(ids), me])) }
    let answers = try present(steps)
    guard answers[0].affected == 1 else {
      isMissing.withLock { $0 = true }
      // The next sign is the first one of a new connection, and the first one says that notices may have been
      // missed.
      presence = nil
      throw StoreError(
        .unavailable,
        "the session store \(place) does not have this node any more: another one may have its URL, \(nodeURL ?? ""). Expected a "
          + "URL of its own for each: --node-url")
    }
    let others = answers[1].rows.map { (boot: UInt64(bitPattern: $0.integer(0)), beats: $0.integer(1)) }
    // Dated when the rows were read, not when the call began: a slow read must not make a living node seem without
    // signs.
    watch.withLock { $0.look(others, now + (.now - began)) }
    let texts = presence?.notifications() ?? []
    let notices = texts.compactMap { NodeNotice($0) }
    // A notice of a later version may be about anything here.
    let mayHaveMissed = isNew || notices.count < texts.count
    return NodeSign(
      notices: (mayHaveMissed ? [.missed] : []) + notices, taken: ids.map { _ in answers[2].rows.map { $0.text(0) } })
  }

  private var notOpen: StoreError {
    StoreError(.stopped, "the session store \(place) is closed; expected it to be opened first")
  }

  /// Runs steps on the connection of the node's signs.
  private func present(_ steps: [Step]) throws(StoreError) -> [Answer] {
    try explained { () throws(PostgreSQLFailure) in
      do throws(PostgreSQLFailure) { return try presenting().run(steps) } catch {
        presence = nil
        throw error
      }
    }
  }

  private func presenting() throws(PostgreSQLFailure) -> PostgreSQLConnection {
    if let presence { return presence }
    let opened = try PostgreSQLConnection(address, defaults: Self.defaults)
    // A sign waits for the standby as any commit does. So a primary that has lost its standby takes no sign, though
    // it does not know that there is another primary.
    try opened.execute(["SET lock_timeout = '2s'", "SET synchronous_commit = on"])
    let channel = try opened.execute(["SELECT quote_ident('euripus_' || current_schema())"])[0].rows[0].text(0)
    try opened.execute(["LISTEN \(channel)"])
    try opened.compile(Statements.ofPresence)
    presence = opened
    return opened
  }
}
