// SPDX-License-Identifier: MIT
import Dispatch
import Synchronization

/// A thread on which bodies are compressed. It is only one, so that it holds up no loop and takes no more than
/// one core.
package final class GzipQueue: Sendable {
  /// That of the responses that are compressed as they are sent.
  static let shared = GzipQueue(most: 16)

  private let queue = DispatchQueue(label: "euripus.gzip")
  private let count = Atomic(0)
  private let most: Int

  /// - Parameter most: The most bodies at work and waiting. One more is sent uncompressed instead of later.
  package init(most: Int) { self.most = most }

  /// Compresses a response on the queue's thread, and hands it on there.
  /// - Returns: False if there are too many. Nothing is done then.
  func compress(_ response: HTTPResponse, then handOn: @escaping @Sendable (HTTPResponse) -> Void) -> Bool {
    run { handOn(response.gzipped) }
  }

  /// Does work on the queue's thread.
  /// - Returns: False if there is too much. Nothing is done then.
  package func run(_ work: @escaping @Sendable () -> Void) -> Bool {
    guard count.wrappingAdd(1, ordering: .relaxed).newValue <= most else {
      count.wrappingSubtract(1, ordering: .relaxed)
      return false
    }
    queue.async { [self] in
      work()
      count.wrappingSubtract(1, ordering: .relaxed)
    }
    return true
  }
}
