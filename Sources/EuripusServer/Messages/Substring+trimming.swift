// SPDX-License-Identifier: MIT

extension Substring {
  /// The text without the spaces and tabs that may stand around an element of a field (RFC 9110 §5.6.3).
  var trimmed: Substring {
    var text = self
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
