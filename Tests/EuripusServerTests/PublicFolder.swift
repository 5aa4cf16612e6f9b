// SPDX-License-Identifier: MIT
import Foundation

/// A directory of static files; releasing the object removes it.
final class PublicFolder {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)").path

  /// - Parameters:
  ///   - files: The texts of files by their names.
  ///   - links: Symbolic links.
  init(_ files: [String: String], links: [(name: String, to: String)] = []) throws {
    for (name, text) in files { try write(name, text) }
    for (name, target) in links {
      try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// - Parameter age: The file's age in seconds at a fixed moment of 2023; `nil` for a file that changed just now.
  func write(_ name: String, _ text: String, age: Double? = nil) throws {
    let url = URL(fileURLWithPath: "\(path)/\(name)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    guard let age else { return }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000 - age)], ofItemAtPath: url.path)
  }
}
