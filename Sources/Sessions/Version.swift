// SPDX-License-Identifier: MIT
import Buffers
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
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { lent in
      var text = Buffer(in: lent)
      append(to: &text)
      return String(decoding: text.elements, as: UTF8.self)
    }
  }

  private func append(to text: inout Buffer<UInt8>) {
    text.append(utf8: epoch)
    text.append(UInt8(ascii: "."))
    text.append(decimal: revision)
  }

  /// Writes what `description` gives, as a string of JSON.
  func write(to writer: inout JSONWriter) {
    writer.rawString { append(to: &$0) }
  }

  private static func isEpochByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
