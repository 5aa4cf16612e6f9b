// SPDX-License-Identifier: MIT
import Glibc
import SQLiteSessions
import Sessions
import ViewModels

/// A writer that commits numbered records of a few sessions until it is killed. For each durable record it
/// prints a line with the session and the number.
struct NumberedWriter {
  private static let sessions = 8
  private let committer: Committer

  init(_ path: String) throws {
    committer = try Committer(opening: SQLiteStore(path: path), as: "writer \(getpid())")
  }

  func run() async throws {
    await withTaskGroup(of: Void.self) { group in
      for session in 0..<Self.sessions { group.addTask { await write("s\(session)") } }
    }
  }

  /// Goes on where the process before was killed.
  private func write(_ id: String) async {
    var (claim, record, isNew) = await claimed(id)
    while true {
      record.revision += 1
      record.parts = change(to: record.revision)
      record.partCount = Int(min(record.revision, 3))
      let change = StoreChange(id, claim, isNew: isNew, .record(record))
      let outcome = await withCheckedContinuation { continuation in
        committer.commit(change, .relaxed) { continuation.resume(returning: $0) }
      }
      guard case .durable = outcome else { return Self.say("\(id) \(outcome)") }
      isNew = false
      Self.say("\(id) \(record.revision)")
    }
  }

  /// The change that puts this revision's part, one of seven, and removes the part of three revisions before.
  private func change(to revision: UInt64) -> PartsChange {
    var change = PartsChange(put: [Array("/\(revision % 7)".utf8): Array("\(revision)".utf8)])
    if revision > 3 { change.removed = [Array("/\((revision - 3) % 7)".utf8)] }
    return change
  }

  private func claimed(_ id: String) async -> (SessionClaim, SessionRecord, isNew: Bool) {
    let outcome = await withCheckedContinuation { continuation in
      committer.claim(id) { continuation.resume(returning: $0) }
    }
    if case .held(let record, let claim) = outcome { return (claim, record, false) }
    if outcome != .none { Self.say("\(id) \(outcome)") }
    let new = SessionRecord(
      id: id, model: "note", owner: Credential(hashing: id), opening: nil, revision: 0, schema: 1,
      state: Array(repeating: 0x20, count: 300), keys: [1, 0, 0], lastUsed: 0)
    return (committer.newClaim(), new, true)
  }

  /// Prints a line by one write, so that it is there as a whole or not at all.
  private static func say(_ line: String) {
    var line = line + "\n"
    _ = line.withUTF8 { Glibc.write(1, $0.baseAddress, $0.count) }
  }
}
