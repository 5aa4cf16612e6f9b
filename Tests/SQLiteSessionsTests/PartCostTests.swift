// SPDX-License-Identifier: MIT
import Foundation
import SQLiteSessions
import StoreRules
import Storing
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
    let row = Array(#"{"text":"Buy fresh bread","done":false}"#.utf8)
    let all = PartsChange(put: Dictionary(uniqueKeysWithValues: (0..<rows).map { (name($0), row) }))
    let claim = owner.open(record("a").with(all))
    // The log is empty after compacting.
    try store.compact()
    let change = PartsChange(put: [name(rows / 2): Array(#"{"text":"Buy fresh bread","done":true}"#.utf8)])
    #expect(owner.commit(record("a").with(change, all: all), claim) == .durable)
    let written = try FileManager.default.attributesOfItem(atPath: place.path + "-wal")[.size] as? Int ?? .max
    #expect(written <= 4 * (4_096 + 24) + 32, "\(rows) rows: \(written) bytes")
    store.close()
  }
}
