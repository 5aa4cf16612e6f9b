// SPDX-License-Identifier: MIT
package import Storing

extension SQLiteStore {
  package func room(of limit: Int) throws(StoreError) -> StoreRoom {
    let connection = try reached()
    do throws(SQLiteFailure) {
      let rows = try connection.statements.heaviest.rows {
        (network: $0.integer(0), isOfUsers: $0.integer(1) != 0, bytes: Int($0.integer(2)))
      }
      return StoreRoom(
        limit: limit, bytes: rows.first { $0.network == StoreTables.all }?.bytes ?? 0,
        heaviest: rows.filter { $0.network != StoreTables.all && $0.bytes > 0 }.map {
          StoreShare($0.network, isOfUsers: $0.isOfUsers, bytes: $0.bytes)
        })
    } catch {
      throw error.explained(path)
    }
  }

  package func makeRoom(_ step: RoomStep, isInMemory: (String) -> Bool) throws(StoreError) -> RoomMade {
    if step.surplus.isEmpty { return RoomMade() }
    let connection = try reached()
    do throws(SQLiteFailure) {
      return try transaction(in: connection) { () throws(SQLiteFailure) in
        var made = RoomMade()
        for share in step.surplus {
          let rows = try connection.statements.longestUnused.rows(
            .integer(share.network), .integer(share.isOfUsers ? 1 : 0), .text(step.start), .integer(Int64(step.sample)),
            .integer(Int64(step.candidates))
          ) { (row: $0.integer(0), id: $0.text(1) ?? "", bytes: Int($0.integer(2))) }
          let ends = step.ends(of: share, among: rows.map { ($0.id, $0.bytes) }, isInMemory: isInMemory)
          for index in ends.stored { try forget(rows[index].row, rows[index].id, in: connection) }
          made.forgotten += ends.stored.count
          made.inMemory += ends.inMemory.map { rows[$0].id }
        }
        return made
      }
    } catch {
      throw error.explained(path)
    }
  }
}
