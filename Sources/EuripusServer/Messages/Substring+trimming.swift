// SPDX-License-Identifier: MIT

extension Substring {
  /// The text without the spaces and tabs that may stand around an element of a field (RFC 9110 §5.6.3).
  var trimmed: Substring {
    // As bytes, since characters cost a hundred times as much.
    var bytes = utf8
    while bytes.first == 0x20 || bytes.first == 0x09 { bytes.removeFirst() }
    while bytes.last == 0x20 || bytes.last == 0x09 { bytes.removeLast() }
    return Substring(bytes)
  }
}
