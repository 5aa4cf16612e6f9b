// SPDX-License-Identifier: MIT
import Locking
import ObservableCore
import Storing
import ViewModels

/// The way of a host's sessions into the store and back.
final class SessionKeeper: Sendable {
  /// The durability of view models that do not choose one.
  let durability: Durability
  private let storage: SessionStorage
  /// The steps of the app's own tables.
  private let migrations: [Migration]
  private let opened = Locked<Committer?>(nil)
  /// The signs of life of this server; `nil` if no others share the store.
  let presence: Presence?
  /// The sessions that other servers have.
  let places = Locked(KnownPlaces())
  /// The notices of other servers that the store was not asked about yet.
  let unheard = Locked(UnheardNotices())
  /// The room in the store.
  let room: Locked<RoomWatch>

  /// - Parameters:
  ///   - migrations: the steps of the app's own tables.
  ///   - maxBytes: the bytes that sessions may take in the store.
  ///   - schemas: the latest schema of each view model's stored state.
  init(
    _ storage: SessionStorage, _ durability: Durability, migrations: [Migration], maxBytes: Int,
    schemas: [String: UInt32], now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.storage = storage
    self.migrations = migrations
    self.durability = durability
    room = Locked(RoomWatch(limit: maxBytes))
    let shared = storage.store as? any SharedSessionStore
    shared?.hosts(schemas)
    presence = shared.flatMap { $0.isShared ? Presence($0, now: now) : nil }
  }

  /// Opens the store. To be called once, before the first session.
  ///
  /// - Parameter report: called with the reason when the store cannot be used, and with `nil` when it can
  ///   again.
  func open(as holder: String, report: @escaping @Sendable (StoreError?) -> Void) throws(StoreError) {
    let committer = try Committer(opening: storage.store, as: holder, migrations, report: report)
    opened.withLock { $0 = committer }
  }

  var isOpen: Bool { opened.withLock { $0 != nil } }

  /// The number of sessions whose changes are not in the store yet.
  var backlog: Int { opened.withLock { $0 }?.backlog ?? 0 }

  /// Whether the store failed a short time ago, and has not worked since.
  var isFailing: Bool { opened.withLock { $0 }?.isFailing ?? false }

  var committer: Committer {
    guard let committer = opened.withLock({ $0 }) else {
      stopProgram(
        "sessions are to be stored in \(storage.description), which was not opened", expected: "an open store",
        remedy: "call openStore first")
    }
    return committer
  }

  /// Asks the store between two of its other calls.
  func ask<Answer: Sendable>(
    _ body: @escaping @Sendable (any SessionStore) throws(StoreError) -> Answer
  ) async throws(SessionError) -> Answer {
    do throws(StoreError) { return try await committer.withStore(body) } catch { throw SessionError(error) }
  }

  /// The sessions that a client has in the store.
  ///
  /// - Parameter note: takes them in on the store's thread. So all that is read is taken in in the order of the reading.
  func sessions<Noted: Sendable>(
    of owner: Credential, _ note: @escaping @Sendable ([OwnedSession]) -> Noted
  ) async throws(SessionError) -> Noted {
    let result = await withCheckedContinuation { answer in
      committer.sessions(of: owner) { answer.resume(returning: $0.map(note)) }
    }
    do throws(StoreError) { return try result.get() } catch { throw SessionError(error) }
  }

  /// The client with a first or present credential; `nil` if it has never signed in.
  ///
  /// - Parameter note: takes it in on the store's thread, as with ``sessions(of:_:)``.
  func client<Noted: Sendable>(
    of credential: Credential, _ note: @escaping @Sendable (ClientRecord?) -> Noted
  ) async throws(SessionError) -> Noted {
    let result = await withCheckedContinuation { answer in
      committer.client(of: credential) { answer.resume(returning: $0.map(note)) }
    }
    do throws(StoreError) { return try result.get() } catch { throw SessionError(error) }
  }

  /// Reads a session and claims it, as ``Committer/claim(_:evenFrom:then:)`` does.
  func claim(_ id: String, evenFrom other: SessionClaim? = nil) async -> ClaimOutcome {
    await withCheckedContinuation { answer in
      committer.claim(id, evenFrom: other) { answer.resume(returning: $0) }
    }
  }

  /// Commits the last change of a claimed session that is not in memory, and gives up the claim.
  func finish(
    _ id: String, _ claim: SessionClaim, _ content: StoreChange.Content
  ) async -> CommitOutcome {
    let outcome = await withCheckedContinuation { answer in
      _ = committer.commit(StoreChange(id, claim, content), max(durability, .relaxed)) {
        answer.resume(returning: $0)
      }
    }
    committer.release(id, claim)
    return outcome
  }
}
