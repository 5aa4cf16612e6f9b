// SPDX-License-Identifier: MIT
import Foundation
import SQLiteSessions
import Seeded
import Sessions
import Testing
import ViewModels

/// Processes that write to a store and are killed while they do.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `A store whose process is killed` {
  static let seed = UInt64.random(in: 1 ... .max)
  static let kills = 40

  /// A process that tells which changes are durable, line by line.
  private final class Writer {
    let process = Process()
    private let output = Pipe()
    private var rest: [UInt8] = []

    init(_ path: String) throws {
      let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      process.executableURL = URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(
        "StoreWriter")
      process.arguments = ["write", path]
      process.standardOutput = output
      try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// The next lines of the process's output; fewer than `count` only at its end.
    func lines(_ count: Int) -> [String] {
      var lines: [String] = []
      while lines.count < count {
        if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          lines.append(String(decoding: rest[..<end], as: UTF8.self))
          rest.removeSubrange(...end)
          continue
        }
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { return lines }
        rest += data
      }
      return lines
    }

    /// Kills the process. Returns the lines that it had written and that nobody has read yet.
    func killed() -> [String] {
      kill(process.processIdentifier, SIGKILL)
      let lines = lines(.max)
      process.waitUntilExit()
      return lines
    }
  }

  @Test func `has everything that was said to be durable, forty times in a row`() throws {
    var generator = SeededGenerator(seed: Self.seed)
    let place = try Place()
    var durable: [String: UInt64] = [:]
    var killed: [String: UInt64] = [:]
    for round in 0..<Self.kills {
      let comment: Comment = "seed \(Self.seed), kill \(round)"
      let writer = try Writer(place.path)
      let before = durable
      var said = writer.lines(Int.random(in: 1...400, using: &generator))
      said += writer.killed()
      #expect(writer.process.terminationReason == .uncaughtSignal, comment)
      for line in said {
        let words = line.split(separator: " ")
        guard words.count == 2, let revision = UInt64(words[1]) else {
          Issue.record("\(comment): it said '\(line)'")
          continue
        }
        let id = String(words[0])
        // The writer went on from the last told revision, or from a later one that was not told.
        #expect(revision > durable[id] ?? 0, comment)
        durable[id] = revision
        killed[id] = 0
      }
      #expect(durable != before, comment)
      for id in durable.keys { killed[id, default: 0] += 1 }
      if round % 8 == 7 { try look(place, durable, killed, comment) }
    }
    try look(place, durable, killed, "seed \(Self.seed), at the end")
  }

  /// - Parameter killed: For each session, the number of processes that were killed since its last told
  ///   revision. The process that told it counts too.
  private func look(
    _ place: Place, _ durable: [String: UInt64], _ killed: [String: UInt64], _ comment: Comment
  ) throws {
    let store = SQLiteStore(path: place.path)
    var owner = try Owner(store)
    #expect(try store.check() == [], comment)
    for (id, revision) in durable {
      let record = store.claim(id, owner.newClaim()).record
      let stored = record?.revision ?? 0
      // Each killed process may have committed one more revision, which it could no longer tell.
      let most = revision + killed[id, default: 0]
      #expect((revision...most).contains(stored), "\(comment): \(id) is at \(stored), \(revision) was durable")
      // The session has the parts of the last three revisions, and no others.
      let numbers = (max(stored, 3) - 2...max(stored, 3)).filter { $0 <= stored }
      let parts = Dictionary(
        uniqueKeysWithValues: numbers.map { (Array("/\($0 % 7)".utf8), Array("\($0)".utf8)) })
      #expect(record?.parts == PartsChange(put: parts), "\(comment): \(id) is at \(stored)")
    }
    store.close()
  }

  @Test func `is told who holds it while a process lives, and may have it at once when that is killed`() throws {
    let place = try Place()
    let writer = try Writer(place.path)
    #expect(writer.lines(1).count == 1)
    let store = SQLiteStore(path: place.path)
    #expect {
      try store.open(as: "test")
    } throws: { error in
      (error as? StoreError)?.kind == .held && "\(error)".contains("held by writer \(writer.process.processIdentifier)")
    }
    _ = writer.killed()
    _ = try store.open(as: "test")
    store.close()
  }
}
