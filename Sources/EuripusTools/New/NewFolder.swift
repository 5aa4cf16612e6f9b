// SPDX-License-Identifier: MIT
import Foundation

/// The folder of a new package.
struct NewFolder {
  /// The reason why the package is not there.
  struct NotMade: Error, CustomStringConvertible {
    let description: String
  }

  let path: String

  /// Makes the folder, if it is not there and empty, and writes the files.
  func write(_ files: [NewFile]) throws(NotMade) {
    let manager = FileManager.default
    var isFolder = ObjCBool(false)
    if manager.fileExists(atPath: path, isDirectory: &isFolder) {
      guard isFolder.boolValue else {
        throw NotMade(
          description: "'\(path)' is a file; expected a folder, or nothing there. Choose another '--directory'.")
      }
      guard (try? manager.contentsOfDirectory(atPath: path))?.isEmpty == true else {
        throw NotMade(
          description:
            "the folder '\(path)' is not empty; expected an empty one, or none. Choose another '--directory'.")
      }
    }
    for file in files {
      let place = URL(fileURLWithPath: path).appendingPathComponent(file.path)
      do {
        try manager.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.text.utf8).write(to: place)
        if file.isExecutable { try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.path) }
      } catch {
        throw NotMade(description: "cannot write '\(place.path)': \(error.localizedDescription)")
      }
    }
  }
}
