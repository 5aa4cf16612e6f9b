// SPDX-License-Identifier: MIT

/// The rule by which a store forgets sessions. All times are in seconds since 1970.
package struct ExpiryRule: Sendable, Equatable {
  package let now: Int64
  /// A living session that was last used before that is forgotten.
  package let unusedSince: Int64
  /// The same for a little-used session (``SessionRecord/littleUse``); not before `unusedSince`.
  package let littleUsedSince: Int64
  /// The same for rooms, which have a time of their own, by their view models.
  package var roomsUnusedSince: [String: Int64]

  package init(now: Int64, unusedSince: Int64, littleUsedSince: Int64, roomsUnusedSince: [String: Int64] = [:]) {
    (self.now, self.unusedSince, self.littleUsedSince) = (now, unusedSince, littleUsedSince)
    self.roomsUnusedSince = roomsUnusedSince
  }

  /// Whether a session is to be forgotten. That is also so if it was not used within ``SessionRecord/patience`` after its
  /// opening. The time at which a timer is due counts as a use.
  package func takes(_ record: SessionRecord) -> Bool {
    if record.isUntouched { return -record.lastUsed < now - SessionRecord.patience }
    let isLittleUsed = !record.isOfUser && record.revision < SessionRecord.littleUse.revisions
    let since = isLittleUsed ? littleUsedSince : roomsUnusedSince[record.model] ?? unusedSince
    return max(record.lastUsed, record.wakesAt.map { $0 / 1_000 } ?? record.lastUsed) < since
  }
}
