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
    self.directory = directory
  }

  /// Takes files for a ticket. If the action fails, they are the customer's again.
  func take(_ files: [Upload], for ticket: Int, _ session: String, _ database: DatabaseTransaction) throws {
    for upload in files {
      // A path that is the same if the action is done again. The name is the customer's, so it is no part of it.
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
