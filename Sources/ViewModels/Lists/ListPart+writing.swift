// SPDX-License-Identifier: MIT
import JSONPatching

/// The writing of a list's rows and of their order.
extension ListPart {
  func writeOrder(to writer: inout JSONWriter) {
    writer.beginArray()
    for row in rows { writer.string(row.entry.key.text) }
    writer.endArray()
  }

  func writeItems(to writer: inout JSONWriter) {
    writer.beginObject()
    for row in rows {
      writer.key(row.entry.key.text)
      row.write(to: &writer)
    }
    writer.endObject()
  }

  func writeOrderChange(since: UInt64, _ path: [UInt8], to writer: inout JSONWriter) {
    guard let (prefix, suffix) = history.ends(since: since) else {
      return writer.operation(.replace, path) { writeOrder(to: &$0) }
    }
    let keys = rows[prefix..<(rows.count - suffix)].map(\.entry.key)
    let old = history.stretch(at: since, now: keys, prefix: prefix, suffix: suffix)
    guard let difference = OrderDifference(from: old, to: keys, startingAt: prefix, limit: 256) else {
      return writer.operation(.replace, path) { writeOrder(to: &$0) }
    }
    func place(_ index: Int) -> [UInt8] { path + Array("/\(index)".utf8) }
    let start = writer.mark
    for step in difference.steps {
      switch step {
      case .remove(let index): writer.operation(.remove, place(index))
      case .add(let key, let index): writer.operation(.add, place(index)) { $0.string(key.text) }
      case .move(let from, let to): writer.move(from: place(from), to: place(to))
      }
    }
    let least = path.count + "[]".utf8.count + rows.count * #""k","#.utf8.count
    writer.replaceIfShorter(from: start, least: least, path) { writeOrder(to: &$0) }
  }

  /// The bytes of `count` and `window` with their names and commas.
  static func length(of window: ListWindow?, count: Int) -> Int {
    guard let window else { return 0 }
    var writer = JSONWriter(capacity: 64)
    writer.integer(count)
    window.write(to: &writer)
    // The last comma is counted here; the writer puts the one between the two.
    return writer.count + #""count":"window":,"#.utf8.count
  }

  static let countSegment = Array("/count".utf8)
  static let windowSegment = Array("/window".utf8)
  static let itemsSegment = Array("/items".utf8)
  static let orderSegment = Array("/order".utf8)
}
