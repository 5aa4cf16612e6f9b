// SPDX-License-Identifier: MIT
package import Storing

/// Changes are made in one burst and one transaction.
///
/// The first try takes each for the usual case: the last claimant of a session writes it. Changes that prove to be
/// others are looked at one by one, by the rule of every store.
extension PostgreSQLStore {
  package func commit(
    _ changes: [StoreChange], survivesPowerCut: Bool, then answer: @escaping @Sendable ([CommitOutcome]) -> Void
  ) {
    do throws(StoreError) { try checkOpen() } catch {
      return answer(changes.map { _ in .refused(error) })
    }
    answer(committed(changes, survivesPowerCut))
  }

  private func committed(_ changes: [StoreChange], _ survivesPowerCut: Bool) -> [CommitOutcome] {
    do throws(PostgreSQLFailure) {
      _ = try connected()
      var outcomes = [CommitOutcome](repeating: .fenced, count: changes.count)
      // A claim that this process made before it got another boot is void.
      let mine = changes.indices.filter { changes[$0].claim.boot == boot && changes[$0].id.canBeStored }
        .sorted { bytewise(changes[$0].id, changes[$1].id) }
      let steps = mine.map { self.steps(changes[$0]) }
      let answers = Self.first(of: try run(steps.flatMap(\.self), survivesPowerCut: survivesPowerCut), for: steps)
      var unusual: [Int] = []
      for (index, answer) in zip(mine, answers) {
        if answer.affected == 1 { outcomes[index] = .durable } else { unusual.append(index) }
      }
      if !unusual.isEmpty {
        for (index, outcome) in zip(unusual, try settled(unusual.map { changes[$0] })) { outcomes[index] = outcome }
      }
      newSessions.note(changes, outcomes, .now)
      return outcomes
    } catch {
      // A change whose values do not fit is refused alone: each is tried by itself.
      if changes.count > 1, error.isOfValue { return changes.flatMap { committed([$0], survivesPowerCut) } }
      let explained = error.explained(place)
      return changes.map { _ in error.isPassing ? .unknown(explained) : .refused(explained) }
    }
  }

  /// Settles changes that the usual statement did not make. Locks and reads each session, and does as the rule says.
  private func settled(_ changes: [StoreChange]) throws(PostgreSQLFailure) -> [CommitOutcome] {
    let connection = try connected()
    do throws(PostgreSQLFailure) {
      let found = try connection.run(
        [(Statements.begin, [])] + changes.map { (Statements.find, [.text($0.id)]) })
      var outcomes: [CommitOutcome] = []
      var taken: [(index: Int, steps: [Step])] = []
      for (change, answer) in zip(changes, found.dropFirst()) {
        let state = answer.rows.first.map { StoredState(found: $0) }
        switch change.verdict(on: state, isLost: newSessions.hasLost(change)) {
        case .fenced: outcomes.append(.fenced)
        case .isDone: outcomes.append(.durable)
        case .isBehind: outcomes.append(.behind)
        case .isTaken:
          var change = change
          change.isNew = state == nil
          taken.append((outcomes.count, steps(change)))
          outcomes.append(.durable)
        }
      }
      let answers = Self.first(
        of: try connection.run(taken.flatMap(\.steps) + [(Statements.commit, [])]), for: taken.map(\.steps))
      for ((index, _), answer) in zip(taken, answers) where answer.affected != 1 {
        let again = try connection.run([(Statements.find, [.text(changes[index].id)])])
        // Another server has put the session in since this one looked for it. The code 40001 passes: the
        // changes can be tried once more.
        guard again[0].rows.isEmpty else {
          throw PostgreSQLFailure(state: "40001", message: "a session was put in twice at once")
        }
        // Another server has opened a session for the same request.
        outcomes[index] = .fenced
      }
      return outcomes
    } catch {
      // The transaction and its locks end with the connection.
      self.connection = nil
      throw error
    }
  }

  // MARK: Statements

  /// The values by which each statement asks whether the change may be made.
  static func owner(_ change: StoreChange) -> [PostgreSQLConnection.Value] {
    [.text(change.id), .number(change.claim.boot), .number(change.claim.number), .number(change.number)]
  }

  /// The step that writes the session, those that write its parts, and those that tell other servers of topics. If the
  /// change is not taken, these hear of the topics in vain.
  func steps(_ change: StoreChange) -> [Step] {
    let telling = change.told.flatMap { steps(telling: .topic($0, by: change.id, at: boot)) }
    switch change.content {
    case .record(let record): return [Self.step(change)] + Self.steps(of: record.parts, change) + telling
    case .closed: return [Self.step(change), (Statements.removeAllParts, Self.owner(change))] + telling
    case .removed, .setAside: return [Self.step(change)] + telling
    }
  }

  /// The answer to the first step of each change.
  private static func first(of answers: [Answer], for steps: [[Step]]) -> [Answer] {
    var place = 0
    return steps.map { steps in
      defer { place += steps.count }
      return answers[place]
    }
  }

  private static func step(_ change: StoreChange) -> Step {
    let owner = owner(change)
    switch change.content {
    case .record(let record) where change.isNew:
      return (
        Statements.insert,
        owner + [
          .text(record.model), .blob(record.owner.bytes), .optional(record.opening?.bytes), .null, .null,
          .number(record.revision), .integer(Int64(record.schema)), .integer(record.lastUsed),
          .number(StoredSession.living(record).checksum), .blob(record.state), .blob(record.keys),
          .optional(record.context), .wakesAt(record.wakesAt), .integer(Int64(record.partCount)),
          .integer(Int64(record.partBytes)), .integer(record.network), .integer(record.isOfUser ? 1 : 0),
          .integer(Int64(record.room)),
        ]
      )
    case .record(let record):
      return (
        Statements.update,
        owner + [
          .number(record.revision), .integer(Int64(record.schema)), .integer(record.lastUsed),
          .number(StoredSession.living(record).checksum), .blob(record.state), .blob(record.keys),
          .optional(record.context), .wakesAt(record.wakesAt), .integer(Int64(record.partCount)),
          .integer(Int64(record.partBytes)), .number(change.since), .integer(record.isOfUser ? 1 : 0),
          .integer(Int64(record.room)), .integer(record.network),
        ]
      )
    case .closed(let closed) where change.isNew:
      return (
        Statements.insert,
        owner + [
          .text(closed.model), .blob(closed.owner.bytes), .optional(closed.opening?.bytes),
          .optional(closed.closing.bytes), .integer(closed.until), .integer(0), .integer(0), .integer(0),
          .number(StoredSession.closed(closed).checksum), .blob([]), .blob([]), .null, .null, .integer(0), .integer(0),
          .integer(0), .integer(0), .integer(Int64(StoreRoom.page)),
        ]
      )
    case .closed(let closed):
      return (
        Statements.close,
        owner + [
          .optional(closed.closing.bytes), .integer(closed.until), .number(StoredSession.closed(closed).checksum),
        ]
      )
    case .removed: return (Statements.delete, owner)
    case .setAside(let reason): return (Statements.setAside, owner + [.text(reason)])
    }
  }
}

extension PostgreSQLConnection.Value {
  fileprivate static func wakesAt(_ time: Int64?) -> Self { time.map { .integer($0) } ?? .null }
}
