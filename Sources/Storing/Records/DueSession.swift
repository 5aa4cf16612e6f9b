// SPDX-License-Identifier: MIT

/// A stored session that has a timer due.
package struct DueSession: Sendable, Equatable {
  package let id: String
  /// The time at which the timer is due, in milliseconds since 1970.
  package let time: Int64

  package init(id: String, time: Int64) { (self.id, self.time) = (id, time) }
}
