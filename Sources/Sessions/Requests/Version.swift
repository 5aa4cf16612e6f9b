// SPDX-License-Identifier: MIT

/// A version of a session's state: `epoch.revision` (PROTOCOL, first idea).
///
/// The revision only grows. The epoch is fresh random text each time the session comes into memory, so a
/// version of an earlier life never matches by accident.
package struct Version: Sendable, Hashable, CustomStringConvertible {
  package let epoch: String
  package let revision: UInt64

  package init(epoch: String, revision: UInt64) {
    self.epoch = epoch
    self.revision = revision
  }

  /// Reads a text of the form of `description`: 1 to 16 lower-case letters and digits, a dot, and a number from
  /// 1 on without leading zeros.
  package init?(_ text: some StringProtocol) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2, (1...16).contains(parts[0].count), parts[0].allSatisfy(Self.isEpochByte) else { return nil }
    let digits = parts[1]
    guard digits.first != UInt8(ascii: "0"), digits.allSatisfy(Self.isDigit) else { return nil }
    guard let revision = UInt64(String(decoding: digits, as: UTF8.self)) else { return nil }
    self.init(epoch: String(decoding: parts[0], as: UTF8.self), revision: revision)
  }

  package var description: String { epoch + "." + String(revision) }

  private static func isEpochByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || isDigit(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

/// A piece of forward flow that is ready to be sent: its JSON, and the version that its reader then has.
package struct Message: Sendable, Equatable {
  package let json: [UInt8]
  package let version: Version

  package init(json: [UInt8], version: Version) {
    self.json = json
    self.version = version
  }
}
