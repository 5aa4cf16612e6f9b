// SPDX-License-Identifier: MIT
import Locking

/// An observer of all messages that clients, drivers and servers of tests send, receive and log.
package protocol TestObserver: Sendable {
  /// Bytes that a client sent.
  func sent(_ bytes: ArraySlice<UInt8>, on connection: Int)
  /// Bytes that a client received.
  func received(_ bytes: ArraySlice<UInt8>, on connection: Int)
  /// A frame or a snapshot of a session that came on no connection.
  func message(_ json: [UInt8], of session: Int)
  /// A line of a log.
  func log(_ text: String)
}

/// The place where an observer is installed. By default there is none.
package enum TestObservation {
  private static let observer = Locked<(any TestObserver)?>(nil)
  private static let lastNumber = Locked(0)

  package static func install(_ new: any TestObserver) { observer.withLock { $0 = new } }

  static var current: (any TestObserver)? { observer.withLock { $0 } }

  /// A number that no other connection or session of this process has.
  package static func number() -> Int {
    lastNumber.withLock { number in
      number += 1
      return number
    }
  }
}
