// SPDX-License-Identifier: MIT

/// A session's id in three words: who looks a session up by it need not follow a text to where it lies, which is in no cache
/// where there are many sessions.
public struct SessionID: Hashable, Sendable {
  private let first: UInt64
  private let second: UInt64
  private let third: UInt64

  /// - Returns: `nil` for more than 23 bytes, which no id has.
  public init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count < 24 else { return nil }
    // The last byte says how many there are.
    var words: (UInt64, UInt64, UInt64) = (0, 0, UInt64(bytes.count).bigEndian)
    withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: UnsafeRawBufferPointer(bytes)) }
    (first, second, third) = words
  }

  /// - Returns: `nil` for a text of more than 23 bytes, which no id has.
  public init?(_ id: String) {
    var id = id
    guard let words = id.withUTF8({ SessionID($0) }) else { return nil }
    self = words
  }

  /// The first word is as random as the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(first) }
}

extension SessionID: CustomStringConvertible {
  /// The text that it was made of.
  public var description: String {
    withUnsafeBytes(of: (first, second, third)) { String(decoding: $0.prefix(Int($0[23])), as: UTF8.self) }
  }
}
