// SPDX-License-Identifier: MIT

/// A text that equals another one if both have the same bytes. Readers of JSON compare names and pointers like
/// this (RFC 6901 §4).
///
/// A `String` will not do: two that look the same are equal, even if they are composed in different ways.
/// Hashing has a seed for each process, so chosen texts cannot make it collide.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasSameBytes(as: right.text) }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension String {
  /// Whether both have the same UTF-8 bytes. Swift's `==` is coarser, since canonically equivalent texts are
  /// equal for it.
  func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}
