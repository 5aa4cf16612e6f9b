// SPDX-License-Identifier: MIT
import Locking
import ObservableCore
import ViewModels

/// The way of a host's sessions into the store and back.
final class SessionKeeper: Sendable {
  /// The keeping of view models that do not say otherwise.
  let durability: Durability
  private let storage: SessionStorage
  private let opened = Locked<Committer?>(nil)
  /// The signs of life of this server, if others share the store.
  let presence: Presence?

  /// - Parameter schemas: the latest schema of each view model's stored state.
  init(
    _ storage: SessionStorage, _ durability: Durability, schemas: [String: UInt32],
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.storage = storage
    self.durability = durability
    let shared = storage.store as? any SharedSessionStore
    shared?.hosts(schemas)
    presence = shared.flatMap { $0.isShared ? Presence($0, now: now) : nil }
  }

  /// Takes hold of the store. To be called once, before the first session.
  ///
  /// - Parameter report: told when the store cannot be used, and when it can again, as `nil`.
  func open(as holder: String, report: @escaping @Sendable (StoreError?) -> Void) throws(StoreError) {
    let committer = try Committer(opening: storage.store, as: holder, report: report)
    opened.withLock { $0 = committer }
  }

  var isOpen: Bool { opened.withLock { $0 != nil } }

  /// Sessions whose changes are not in the store yet.
  var backlog: Int { opened.withLock { $0 }?.backlog ?? 0 }

  /// Whether the store has failed of late.
  var isFailing: Bool { opened.withLock { $0 }?.isFailing ?? false }

  var committer: Committer {
    guard let committer = opened.withLock({ $0 }) else {
      stopProgram(
        "sessions are to be stored in \(storage.description), which was not opened", expected: "an open store",
        remedy: "call openStore first")
    }
    return committer
  }
}
