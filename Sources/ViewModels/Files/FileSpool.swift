// SPDX-License-Identifier: MIT

/// Where files are: those of uploads until an action takes them, and those that sessions offer. One for all sessions of a
/// server.
package protocol FileSpool: Sendable {
  /// The bytes of a file that are there; `nil` if there is none.
  func size(of file: SpooledFile) -> Int?

  /// All bytes of a file.
  func read(_ file: SpooledFile) throws(FileFault) -> [UInt8]

  /// Makes a file with these bytes, and comes back when they are on the disk.
  func keep(_ bytes: [UInt8], as file: SpooledFile) throws(FileFault)

  /// The bytes of a file of the app's; `nil` if there is none that can be read.
  func size(at path: String) -> Int?

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

  /// The name of a file that the session offers under a key.
  package init(session: String, offer key: String) { self.init(session: session, name: Self.ofOffers + key) }

  /// The key under which the session offers it; `nil` for a file that a client sends.
  package var offerKey: String? { name.hasPrefix(Self.ofOffers) ? String(name.dropFirst(Self.ofOffers.count)) : nil }

  /// Whether it has the form of a name that a server has made.
  package var isOwn: Bool {
    let word = offerKey ?? name
    return session.utf8.count == 22 && word.utf8.count == 32
      && word.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  private static let ofOffers = "offer-"

  /// A name that no other file has.
  static func newName() -> String {
    (0..<2).map { _ in
      let word = String(UInt64.random(in: .min ... .max), radix: 16)
      return String(repeating: "0", count: 16 - word.count) + word
    }.joined()
  }
}

/// A file that cannot be read or moved.
public struct FileFault: Error, CustomStringConvertible {
  public let description: String

  package init(_ description: String) { self.description = description }
}
