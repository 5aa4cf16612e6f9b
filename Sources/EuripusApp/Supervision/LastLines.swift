// SPDX-License-Identifier: MIT

/// The end of a text that comes in pieces. Only the last bytes are kept.
struct LastLines {
  private var bytes: [UInt8] = []
  private let limit: Int
  private var isCut = false

  /// - Parameter limit: the number of bytes.
  init(limit: Int) { self.limit = limit }

  mutating func append(_ piece: ArraySlice<UInt8>) {
    bytes += piece
    // It is cut now and then, and not for every piece.
    if bytes.count > 2 * limit { cut() }
  }

  private mutating func cut() {
    guard bytes.count > limit else { return }
    bytes.removeFirst(bytes.count - limit)
    isCut = true
  }

  /// Whether the text is among the last 256 bytes.
  func hasRecently(_ text: String) -> Bool { String(decoding: bytes.suffix(256), as: UTF8.self).contains(text) }

  /// The last complete lines, without control characters, and without the lines that the Swift runtime writes
  /// about a backtrace.
  mutating func lines(_ count: Int) -> [String] {
    cut()
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if isCut { lines.removeFirst() }
    if lines.last?.isEmpty == true { lines.removeLast() }
    let texts = lines.map { line in
      String(decoding: line.map { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
    }
    return texts.filter { !Self.isOfBacktrace($0) }.suffix(count)
  }

  /// Whether a line belongs to a backtrace: it announces one, or is a number, a module and an address below
  /// `Current stack trace:`.
  private static func isOfBacktrace(_ line: String) -> Bool {
    if line == "Current stack trace:" || line.hasPrefix("*** Signal ") { return true }
    if line.hasPrefix("swift-runtime: failed to suspend thread ") { return true }
    let words = line.split(separator: " ", maxSplits: 3)
    return words.count == 4 && words[0].allSatisfy(\.isNumber) && words[2].hasPrefix("0x") && words[2].count == 18
  }
}
