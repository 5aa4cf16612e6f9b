// SPDX-License-Identifier: MIT
import JSONPatching

/// A version of a session's state: `epoch.revision` (PROTOCOL, first idea).
///
/// The revision only grows. The epoch is fresh random text each time the session comes into memory, so that a version
/// from another life can never match by accident.
public struct Version: Sendable, Equatable, CustomStringConvertible {
  public let epoch: String
  public let revision: UInt64

  public init(epoch: String, revision: UInt64) {
    self.epoch = epoch
    self.revision = revision
  }

  /// Takes what `description` gives: 1 to 16 lower-case letters and digits, a dot, a number from 1 without leading zeros.
  public init?(_ text: some StringProtocol) {
    guard let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
    let epoch = text[..<dot]
    let digits = text[text.utf8.index(after: dot)...]
    guard (1...16).contains(epoch.utf8.count), epoch.utf8.allSatisfy(Self.isEpochByte) else { return nil }
    guard let first = digits.utf8.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first) else { return nil }
    guard let revision = UInt64(digits) else { return nil }
    self.init(epoch: String(epoch), revision: revision)
  }

  public var description: String { "\(epoch).\(revision)" }

  /// Writes what `description` gives, as a string of JSON.
  func write(to writer: inout JSONWriter) {
    writer.rawString { bytes in
      bytes.append(contentsOf: epoch.utf8)
      bytes.append(UInt8(ascii: "."))
      bytes.appendDecimal(revision)
    }
  }

  private static func isEpochByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
