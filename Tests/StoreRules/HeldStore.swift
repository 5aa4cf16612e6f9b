// SPDX-License-Identifier: MIT
import Locking
package import Storing
import Testing

/// A store whose answers come when a test gives them.
package final class HeldStore: BackedStore {
  package typealias Batch = (changes: [StoreChange], answer: @Sendable ([CommitOutcome]) -> Void)
  package let memory = MemorySessions()
  private let (batches, batch) = AsyncStream.makeStream(of: Batch.self)
  private let closed = Locked(0)
  package var closings: Int { closed.withLock { $0 } }

  package init() {}

  package func commit(
    _ changes: [StoreChange], survivesPowerCut: Bool, then answer: @escaping @Sendable ([CommitOutcome]) -> Void
  ) { batch.yield((changes, answer)) }
  package func close() { closed.withLock { $0 += 1 } }

  /// The next batch, which is neither stored nor answered.
  package func next() async throws -> Batch { try #require(await batches.first { _ in true }) }

  package func letThrough(_ batch: Batch) { memory.commit(batch.changes, survivesPowerCut: false, then: batch.answer) }

  /// Stores the next batch, and says so.
  package func letThrough() async throws { letThrough(try await next()) }
}
