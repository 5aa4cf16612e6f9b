// SPDX-License-Identifier: MIT
import Foundation
import SQLiteSessions
import Sessions
import Testing
import ViewModels

@Suite struct `A change of one row of a stored list` {
  private func name(_ row: Int) -> [UInt8] { Array("/list/items/task-\(10_000 + row)".utf8) }

  @Test(arguments: [1, 1_000, 10_000]) func `writes a few pages to the file, however many rows there are`(_ rows: Int)
    throws
  {
    let place = try Place()
    let store = SQLiteStore(path: place.path)
    var owner = try Owner(store)
    let claim = owner.newClaim()
    var record = record("a")
    record.partCount = rows
    for row in 0..<rows { record.parts.put[name(row)] = Array(#"{"text":"Buy fresh bread","done":false}"#.utf8) }
    #expect(store.commit(owner.change("a", claim, isNew: true, .record(record))) == [.durable])
    // The log is empty after compacting.
    try store.compact()
    record.parts = PartsChange(put: [name(rows / 2): Array(#"{"text":"Buy fresh bread","done":true}"#.utf8)])
    #expect(store.commit(owner.change("a", claim, .record(record))) == [.durable])
    let written = try FileManager.default.attributesOfItem(atPath: place.path + "-wal")[.size] as? Int ?? .max
    #expect(written <= 4 * (4_096 + 24) + 32, "\(rows) rows: \(written) bytes")
    print("one changed row of \(rows): \(written) bytes in the log")
    store.close()
  }
}
