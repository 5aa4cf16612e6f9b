// SPDX-License-Identifier: MIT

/// Where the files of uploads are until an action takes them. One for all sessions of a server.
package protocol FileSpool: Sendable {
  /// The bytes of a file that are there; `nil` if there is none.
  func size(of file: SpooledFile) -> Int?

  /// All bytes of a file.
  func read(_ file: SpooledFile) throws(FileFault) -> [UInt8]

  /// Gives a file a further name at a path of the app's.
  ///
  /// - Returns: whether it was not there before. The same file, or one with the same bytes, may be there.
  func link(_ file: SpooledFile, to path: String) throws(FileFault) -> Bool

  /// Takes back what ``link(_:to:)`` has made.
  func unlink(_ path: String)

  func remove(_ file: SpooledFile)
}

/// The name of a file in the spool. No part of it comes from a client.
package struct SpooledFile: Sendable, Hashable {
  package let session: String
  package let name: String

  package init(session: String, name: String) { (self.session, self.name) = (session, name) }
}

/// A file that cannot be read or moved.
public struct FileFault: Error, CustomStringConvertible {
  public let description: String

  package init(_ description: String) { self.description = description }
}
