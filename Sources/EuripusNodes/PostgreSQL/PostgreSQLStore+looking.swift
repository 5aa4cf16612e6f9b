// SPDX-License-Identifier: MIT
import JSONPatching
package import Storing

extension PostgreSQLStore {
  package func due(by time: Int64, after last: DueSession?, limit: Int) throws(StoreError) -> [DueSession] {
    try checkOpen()
    return try explained { () throws(PostgreSQLFailure) in
      _ = try connected()
      return try run(
        Statements.due,
        [
          .integer(time), .integer(last?.time ?? .min), .text(last?.id ?? ""),
          .integer(Int64(limit)), .number(boot), knownSchemas,
        ]
      ).rows.map { DueSession(id: $0.text(0), time: $0.integer(1)) }
    }
  }

  package func expire(by rule: ExpiryRule, limit: Int, isInMemory: (String) -> Bool) throws(StoreError) -> Expiry {
    try checkOpen()
    let rooms = JSON.object(rule.roomsUnusedSince.map { JSON.Member(name: $0.key, value: .integer($0.value)) })
    let roomsText = PostgreSQLConnection.Value.text(String(decoding: JSON.text(of: rooms), as: UTF8.self))
    return try explained { () throws(PostgreSQLFailure) in
      _ = try connected()
      let looked = try run(
        Statements.unused,
        [
          .integer(rule.now), .integer(rule.unusedSince), .text(lookedAt), .integer(Int64(limit)), .number(boot),
          .integer(rule.littleUsedSince), roomsText,
        ]
      ).rows
      let isLast = looked.count < limit
      let unused = looked.filter { $0.integer(1) == 1 && !($0.integer(2) == 1 && isInMemory($0.text(0))) }
      var steps: [Step] = unused.map {
        (
          Statements.forget,
          // Only under the claim that was read: another server may have taken the session since.
          [
            .text($0.text(0)), .integer(rule.now), .integer(rule.unusedSince), .integer($0.integer(3)),
            .integer($0.integer(4)), .integer(rule.littleUsedSince), roomsText,
          ]
        )
      }
      if isLast { steps += [(Statements.forgetClients, [.integer(rule.unusedSince)]), (Statements.forgetShares, [])] }
      var expiry = Expiry()
      expiry.forgotten = try run(steps).prefix(unused.count).reduce(0) { $0 + $1.affected }
      lookedAt = isLast ? "" : looked.last?.text(0) ?? ""
      return expiry
    }
  }
}
