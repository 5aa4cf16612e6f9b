// SPDX-License-Identifier: MIT
import Foundation

/// The seconds after which a wait says that it hangs, however busy the machine is.
let patience = 120

/// A mailbox for values from the loops' threads to a test's thread, which waits for them.
// @unchecked Sendable: the values are touched only with the lock held.
final class Mailbox<Value: Sendable>: @unchecked Sendable {
  struct Empty: Error {}

  private let arrival = NSCondition()
  private var values: [Value] = []

  func put(_ value: Value) {
    arrival.withLock { values.append(value) }
    arrival.signal()
  }

  func take() throws -> Value {
    let limit = Date().addingTimeInterval(TimeInterval(patience))
    return try arrival.withLock {
      while values.isEmpty { guard arrival.wait(until: limit) else { throw Empty() } }
      return values.removeFirst()
    }
  }

  var count: Int { arrival.withLock { values.count } }
}

/// Runs `body` on a thread of its own: all threads of the pool may be waiting in other tests. The mailbox gets
/// word when the body is over.
func onThread(_ body: @escaping @Sendable () -> Void) -> Mailbox<Void> {
  let isOver = Mailbox<Void>()
  Thread {
    body()
    isOver.put(())
  }.start()
  return isOver
}
