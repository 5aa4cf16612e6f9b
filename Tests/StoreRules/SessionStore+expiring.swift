// SPDX-License-Identifier: MIT
package import Storing

extension SessionStore {
  /// Forgets sessions whose time is over, where a little-used one is kept for its usual time, and none is in memory if
  /// nothing else is said.
  package func expire(
    now: Int64, unusedSince: Int64, limit: Int, isInMemory: (String) -> Bool = { _ in false }
  ) throws(StoreError) -> Expiry {
    let littleUsedSince = max(unusedSince, now - SessionRecord.littleUse.time)
    let rule = ExpiryRule(now: now, unusedSince: unusedSince, littleUsedSince: littleUsedSince)
    return try expire(by: rule, limit: limit, isInMemory: isInMemory)
  }
}
