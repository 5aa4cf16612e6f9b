// SPDX-License-Identifier: MIT
import Storing

/// The statements about the room that sessions take.
extension PostgreSQLStatements {
  /// The number of the row that has the sum of all shares. No network is known by it.
  static let allShares: Int64 = -1

  /// Adds up what has changed since the last look of any server. Two servers that look at the same time must not wait
  /// for each other: each takes the changes that the other does not have, and writes the sums in the same order.
  static let addShares = Statement(
    name: "add_shares",
    sql: """
      WITH changes AS (
        DELETE FROM euripus_share_changes
          WHERE ctid = ANY (ARRAY(SELECT ctid FROM euripus_share_changes FOR UPDATE SKIP LOCKED))
          RETURNING network, of_user, bytes
      )
      INSERT INTO euripus_shares (network, of_user, bytes)
        SELECT network, of_user, sum(bytes)::bigint FROM changes GROUP BY network, of_user
        UNION ALL SELECT \(allShares), 0, sum(bytes)::bigint FROM changes HAVING count(*) > 0
        ORDER BY 1, 2
        ON CONFLICT (network, of_user) DO UPDATE SET bytes = euripus_shares.bytes + excluded.bytes
      """)
  /// Finds the sum of all, which is the greatest, and the heaviest shares.
  static let heaviest = Statement(
    name: "heaviest",
    sql: "SELECT network, of_user, bytes FROM euripus_shares ORDER BY bytes DESC LIMIT \(StoreRoom.mostShares + 1)")
  static let forgetShares = Statement(name: "forget_shares", sql: "DELETE FROM euripus_shares WHERE bytes = 0")

  /// Finds sessions of a sample of a share, beginning with the longest unused. Closed ones come first, as their use is
  /// 0.
  static let longestUnused = Statement(
    name: "longest_unused",
    sql: """
      SELECT id, bytes, boot, claim FROM (
        (\(ofShare) AND id > $3 ORDER BY id LIMIT $4)
        UNION ALL (\(ofShare) AND id <= $3 ORDER BY id LIMIT $4)
        LIMIT $4
      ) s WHERE \(isNotElsewhere("$6")) ORDER BY abs(used) LIMIT $5
      """)
  private static let ofShare =
    "SELECT id, bytes, boot, claim, used FROM euripus_sessions WHERE network = $1 AND of_user = $2"
  /// Forgets a session under the claim that was read: another server may have taken the session since.
  static let endForRoom = Statement(
    name: "end_for_room", sql: "DELETE FROM euripus_sessions WHERE id = $1 AND boot = $2 AND claim = $3")
}
