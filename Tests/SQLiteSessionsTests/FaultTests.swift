// SPDX-License-Identifier: MIT
import CFaultyFiles
import Foundation
import SQLiteSessions
import Seeded
import StoreRules
import Storing
import Testing

/// A short run in which the system refuses the n-th call, for every n. Changes that were told as durable are
/// there afterwards.
@Suite(.serialized) struct `A store whose files fail` {
  private static let batches = 12
  private let files: OpaquePointer
  init() throws { files = try #require(faulty_files_named("faulty")) }

  /// The answers that a run got.
  private struct Account {
    /// The last durable revision of each session.
    var durable: [String: UInt64] = [:]
    /// The last revision of each session that was handed in.
    var asked: [String: UInt64] = [:]
    var gone: Set<String> = []
    var errors: [StoreError] = []
    var isOpen = false
  }

  /// Opens a store and makes 30 changes, in batches of one to four records from 1 to 9 KB. Claims a session now
  /// and then.
  ///
  /// - Parameter before: A closure that runs before each batch.
  private func run(
    _ place: Place, survivesPowerCut: Bool = false, closes: Bool = true, before: (Account) throws -> Void = { _ in }
  ) throws -> Account {
    var account = Account()
    let store = SQLiteStore(path: place.path, vfs: "faulty")
    var owner: Owner
    do {
      owner = try Owner(store)
    } catch {
      account.errors.append(error as? StoreError ?? StoreError(.unavailable, "not a StoreError: \(error)"))
      return account
    }
    account.isOpen = true
    var generator = SeededGenerator(seed: 7)
    let claim = owner.newClaim()
    for step in 1...Self.batches {
      try before(account)
      var changes: [StoreChange] = []
      for id in ["a", "b", "c", "d"].shuffled(using: &generator).prefix(step % 4 + 1) where !account.gone.contains(id) {
        let isNew = account.asked[id] == nil
        account.asked[id] = UInt64(step)
        let bytes = Int.random(in: 1_000...9_000, using: &generator)
        changes.append(owner.change(id, claim, isNew: isNew, .record(record(id, UInt64(step), bytes: bytes))))
      }
      for (change, outcome) in zip(changes, store.commit(changes, survivesPowerCut: survivesPowerCut)) {
        switch outcome {
        case .durable: account.durable[change.id] = UInt64(step)
        // The first change of the session failed, so the store may not have the session.
        case .fenced: account.gone.insert(change.id)
        case .behind: Issue.record("a store that has lost nothing is behind")
        case .refused(let error), .unknown(let error): account.errors.append(error)
        }
      }
      if step % 6 == 0, case .failed(let error) = owner.claim("a") { account.errors.append(error) }
    }
    if closes { store.close() }
    return account
  }

  /// Checks that the store has every durable revision, and none that was not handed in.
  private func check(_ place: Place, _ account: Account, _ comment: Comment) throws {
    let store = SQLiteStore(path: place.path)
    var owner = try Owner(store)
    #expect(try store.check() == [], comment)
    for (id, asked) in account.asked {
      switch owner.claim(id) {
      case .held(let record, _):
        #expect(record.revision >= account.durable[id] ?? 0 && record.revision <= asked, comment)
      case .none: #expect(account.durable[id] == nil, comment)
      case let outcome: Issue.record("\(comment): \(outcome)")
      }
    }
    // The store takes further changes.
    #expect(owner.commit("new", owner.newClaim(), isNew: true, .record(record("new"))) == .durable, comment)
    store.close()
  }

  private func callsOfWholeRun() throws -> Int {
    faulty_files_fail(files, 0, FAULTY_IO, 0)
    let place = try Place()
    let account = try run(place)
    #expect(account.errors == [] && account.durable == account.asked)
    return faulty_files_calls(files)
  }

  @Test(arguments: [(FAULTY_IO, false), (FAULTY_IO, true), (FAULTY_TORN, false), (FAULTY_FULL, true)])
  func `loses nothing durable whichever call fails, and tells the error`(_ kind: faulty_kind, _ stays: Bool) throws {
    let calls = try callsOfWholeRun()
    #expect(calls > 80)
    var (failed, recovered) = (0, 0)
    for nth in 1...calls {
      let place = try Place()
      faulty_files_fail(files, nth, kind, stays ? .max : 1)
      let account = try run(place)
      let hasFailed = faulty_files_failures(files) > 0
      faulty_files_fail(files, 0, FAULTY_IO, 0)
      let comment: Comment = "\(kind) \(stays), call \(nth) of \(calls)"
      if hasFailed { failed += 1 }
      if kind == FAULTY_IO, !stays, account.isOpen, !account.errors.isEmpty {
        // A call that failed once does not end the store.
        #expect(account.durable.values.max() ?? 0 >= Self.batches - 1, comment)
        recovered += 1
      }
      for error in account.errors {
        #expect(error.description.contains(place.path) && error.kind != .damaged, "\(comment): \(error)")
        if kind == FAULTY_FULL { #expect(error.kind == .full, "\(comment): \(error)") }
      }
      // A single failure is not told if its call did not matter. A failure that stays is noticed.
      if stays, hasFailed, nth < calls / 2 { #expect(account.errors != [], comment) }
      try check(place, account, comment)
    }
    #expect(failed > 20 && (recovered > 5 || kind != FAULTY_IO || stays))
  }

  @Test func `lets a server that starts without room read its sessions, and change them once there is room`() throws {
    faulty_files_fail(files, 0, FAULTY_IO, 0)
    let place = try Place()
    func owner() throws -> Owner { try Owner(SQLiteStore(path: place.path, vfs: "faulty")) }
    var first = try owner()
    first.open(record("a"))
    first.store.close()

    faulty_files_fail(files, 1, FAULTY_FULL, .max)
    var second = try owner()
    let claimed = second.claim("a")
    let claim = try #require(claimed.claim)
    #expect(claimed.record == record("a"))
    #expect(second.commit(record("a", 2), claim)?.kind == .full)
    faulty_files_fail(files, 0, FAULTY_IO, 0)
    #expect(second.commit(record("a", 3), claim) == .durable)
    second.store.close()

    var third = try owner()
    #expect(third.boot == second.boot + 1)
    #expect(third.claim("a").record == record("a", 3))
    third.store.close()
  }

  @Test func `has all durable changes after a kill between any two batches`() throws {
    faulty_files_fail(files, 0, FAULTY_IO, 0)
    let place = try Place()
    _ = try run(place) { account in
      if account.asked.isEmpty { return }
      try check(place.copied(), account, "after \(account.asked)")
    }
  }

  @Test func `has the changes that are to survive a power cut where only synced bytes are left`() throws {
    for survivesPowerCut in [true, false] {
      faulty_files_fail(files, 0, FAULTY_IO, 0)
      let (place, synced) = (try Place(), try Place())
      faulty_files_keep_synced(files, synced.directory)
      defer { faulty_files_keep_synced(files, nil) }
      var lost = 0
      var batches = 0
      _ = try run(place, survivesPowerCut: survivesPowerCut) { account in
        if account.durable.isEmpty { return }
        batches += 1
        let left = try synced.copied()
        if survivesPowerCut {
          faulty_files_keep_synced(files, nil)
          try check(left, account, "after \(account.durable)")
          faulty_files_keep_synced(files, synced.directory)
          return
        }
        // Changes that only had to survive the process may be missing. If none were, this test would see nothing.
        let store = SQLiteStore(path: left.path)
        var owner = try Owner(store)
        #expect(try store.check() == [])
        for (id, revision) in account.durable where owner.claim(id).record?.revision ?? 0 < revision {
          lost += 1
        }
        store.close()
      }
      #expect(batches == Self.batches - 1)
      #expect(survivesPowerCut || lost > 10)
    }
  }
}
