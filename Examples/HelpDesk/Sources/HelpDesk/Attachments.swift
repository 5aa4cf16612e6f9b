// SPDX-License-Identifier: MIT
import EuripusApp
import Foundation

/// The files that customers have sent with their tickets.
struct Attachments: Sendable {
  /// A directory that all servers of one database share.
  let directory: String

  /// - Throws: an error of the file system, if the directory cannot be made.
  init(_ directory: String) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    // Sessions remember paths in it, and the next server may start elsewhere.
    self.directory = URL(filePath: directory).standardizedFileURL.path
  }

  /// Takes files for a ticket. If the action fails, they are the customer's again.
  func take(
    _ files: [Upload], ofSession session: String, forTicket ticket: Int, _ database: DatabaseTransaction
  ) throws {
    for upload in files {
      // A path that is the same if the action is done again. A key has no slash; the name is as the customer wishes.
      let file = "\(session)-\(upload.key)"
      try database.execute("INSERT INTO attachments (file, ticket, name) VALUES (?, ?, ?)", file, ticket, upload.name)
      try upload.move(to: path(file))
    }
  }

  func path(_ file: String) -> String { "\(directory)/\(file)" }
}

/// A row of `attachments`.
struct Attachment: Codable, Equatable, Sendable {
  var file: String
  var name: String
}
