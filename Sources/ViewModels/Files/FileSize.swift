// SPDX-License-Identifier: MIT
import ObservableCore

/// A number of bytes, such as the longest file that is taken.
public struct FileSize: Sendable, Hashable, Comparable, CustomStringConvertible {
  public let bytes: Int

  /// - Precondition: it is 1 byte or more.
  public init(bytes: Int) {
    if bytes < 1 {
      stopProgram(
        "a file size of \(bytes) bytes", expected: "1 byte or more", remedy: "write '.megabytes(20)', for instance")
    }
    self.bytes = bytes
  }

  /// Thousands of bytes.
  public static func kilobytes(_ count: Int) -> FileSize { FileSize(bytes: count * 1_000) }
  /// Millions of bytes.
  public static func megabytes(_ count: Int) -> FileSize { FileSize(bytes: count * 1_000_000) }
  /// Thousands of millions of bytes.
  public static func gigabytes(_ count: Int) -> FileSize { FileSize(bytes: count * 1_000_000_000) }

  public static func < (left: FileSize, right: FileSize) -> Bool { left.bytes < right.bytes }

  /// As people write it: `20 MB`.
  public var description: String {
    for (name, unit) in [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)] where bytes >= unit {
      let tenths = bytes / (unit / 10)
      return tenths % 10 == 0 ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
    }
    return "\(bytes) bytes"
  }
}
