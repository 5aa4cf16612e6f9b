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
    var text = String(text)
    guard let version = text.withUTF8({ Version(bytes: $0) }) else { return nil }
    self = version
  }

  private init?(bytes: UnsafeBufferPointer<UInt8>) {
    var dot = 0
    while dot < bytes.count, Self.isEpochByte(bytes[dot]) { dot += 1 }
    guard (1...16).contains(dot), dot + 1 < bytes.count, bytes[dot] == UInt8(ascii: ".") else { return nil }
    guard bytes[dot + 1] != UInt8(ascii: "0") else { return nil }
    var revision: UInt64 = 0
    for byte in bytes[(dot + 1)...] {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      let (tens, overflows) = revision.multipliedReportingOverflow(by: 10)
      let (sum, carries) = tens.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
      guard !overflows, !carries else { return nil }
      revision = sum
    }
    self.init(epoch: String(decoding: bytes[..<dot], as: UTF8.self), revision: revision)
  }

  public var description: String {
    // A dot, and 20 digits at most.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: epoch.utf8.count + 21) { bytes in
      var digits = 0
      var rest = revision
      repeat {
        digits += 1
        rest /= 10
      } while rest != 0
      var epoch = epoch
      let dot = epoch.withUTF8 { epoch in
        _ = bytes.initialize(from: epoch)
        return epoch.count
      }
      bytes[dot] = UInt8(ascii: ".")
      rest = revision
      for index in stride(from: dot + digits, to: dot, by: -1) {
        bytes[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      return String(decoding: bytes[...(dot + digits)], as: UTF8.self)
    }
  }

  /// Writes what `description` gives, as a string of JSON.
  func write(to writer: inout JSONWriter) {
    writer.rawString { bytes in
      var epoch = epoch
      epoch.withUTF8 { bytes.append(contentsOf: $0) }
      bytes.append(UInt8(ascii: "."))
      bytes.appendDecimal(revision)
    }
  }

  private static func isEpochByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
