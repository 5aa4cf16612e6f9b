// SPDX-License-Identifier: MIT

/// The 32 bytes of a hash.
///
/// Four words and no vector of them: that would have to lie at every thirty-second byte, which Swift 6.3.1 does not see to in
/// all places where an asynchronous function keeps its values, and writes past them.
struct HashWords: Sendable, Hashable {
  let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  init(_ first: UInt64 = 0, _ second: UInt64 = 0, _ third: UInt64 = 0, _ fourth: UInt64 = 0) {
    (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
  }

  /// Takes what ``bytes`` gives; `nil` if it is not of that length.
  init?(bytes: some Collection<UInt8>) {
    self.init()
    guard bytes.count == MemoryLayout<HashWords>.size else { return nil }
    withUnsafeMutableBytes(of: &self) { $0.copyBytes(from: bytes) }
  }

  var bytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}
