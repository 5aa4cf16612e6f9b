// SPDX-License-Identifier: MIT
package import Storing

extension PostgreSQLStore {
  package func room(of limit: Int) throws(StoreError) -> StoreRoom {
    try checkOpen()
    return try explained { () throws(PostgreSQLFailure) in
      let rows = try run([(Statements.addShares, []), (Statements.heaviest, [])])[1].rows.map {
        (network: $0.integer(0), isOfUsers: $0.integer(1) != 0, bytes: Int($0.integer(2)))
      }
      return StoreRoom(
        limit: limit, bytes: rows.first { $0.network == Statements.allShares }?.bytes ?? 0,
        heaviest: rows.filter { $0.network != Statements.allShares && $0.bytes > 0 }.map {
          StoreShare($0.network, isOfUsers: $0.isOfUsers, bytes: $0.bytes)
        })
    }
  }

  /// Takes two trips: one reads the sessions of all shares, and one forgets those that end.
  package func makeRoom(_ step: RoomStep, isInMemory: (String) -> Bool) throws(StoreError) -> RoomMade {
    if step.surplus.isEmpty { return RoomMade() }
    try checkOpen()
    return try explained { () throws(PostgreSQLFailure) in
      _ = try connected()
      let reads: [Step] = step.surplus.map {
        (
          Statements.longestUnused,
          [
            .integer($0.network), .integer($0.isOfUsers ? 1 : 0), .text(step.start), .integer(Int64(step.sample)),
            .integer(Int64(step.candidates)), .number(boot),
          ]
        )
      }
      var made = RoomMade()
      var ends: [(id: String, step: Step)] = []
      for (share, answer) in zip(step.surplus, try run(reads)) {
        let rows = answer.rows
        let chosen = step.ends(
          of: share, among: rows.map { ($0.text(0), Int($0.integer(1))) }, isInMemory: isInMemory)
        ends += chosen.stored.map { rows[$0] }.map {
          ($0.text(0), (Statements.endForRoom, [.text($0.text(0)), .integer($0.integer(2)), .integer($0.integer(3))]))
        }
        made.inMemory += chosen.inMemory.map { rows[$0].text(0) }
      }
      // Sorted, as all servers do: two servers that write the same sessions must not wait for each other.
      let steps = ends.sorted { bytewise($0.id, $1.id) }.map(\.step)
      made.forgotten = try run(steps).reduce(0) { $0 + $1.affected }
      return made
    }
  }
}
