// SPDX-License-Identifier: MIT
import Foundation
import Storing

/// A directory of a test's own; releasing the object removes it.
final class Place {
  let directory: String
  var path: String { directory + "/sessions.db" }

  init() throws {
    // These tests sync thousands of times, and a sync costs nothing in this folder.
    let shared = "/dev/shm/"
    let base = FileManager.default.isWritableFile(atPath: shared) ? shared : NSTemporaryDirectory()
    directory = base + "euripus-store-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// The bytes of the database's file.
  var bytes: [UInt8] {
    get throws { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
  }

  func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

  /// A copy of the database and its log as they are now, as a killed process would leave them.
  func copied() throws -> Place {
    let copy = try Place()
    for end in ["", "-wal"] where FileManager.default.fileExists(atPath: path + end) {
      try FileManager.default.copyItem(atPath: path + end, toPath: copy.path + end)
    }
    return copy
  }
}
