// SPDX-License-Identifier: MIT

/// A hash of a content's JSON. Unlike that of Swift's `Hasher` it is the same in every process (S2-4).
public enum ContentHash {
  /// FNV-1a with 64 bits (draft-eastlake-fnv).
  public static func fnv1a(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
