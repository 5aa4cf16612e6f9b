// SPDX-License-Identifier: MIT
import JSONPatching

/// How a list's rows and their order are written.
extension ListPart {
  func writeOrder(to writer: inout JSONWriter) {
    writer.beginArray()
    for entry in order { writer.string(entry.key.text) }
    writer.endArray()
  }

  func writeItems(to writer: inout JSONWriter) {
    writer.beginObject()
    for entry in order {
      writer.key(entry.key.text)
      rows[entry.key]?.object.write(to: &writer)
    }
    writer.endObject()
  }

  func writeOrderChange(since: UInt64, _ path: [UInt8], to writer: inout JSONWriter) {
    let keys = order.map(\.key)
    guard let old = history.order(at: since, now: keys),
      let difference = OrderDifference(from: old, to: keys, limit: 256)
    else { return writer.operation(.replace, path) { writeOrder(to: &$0) } }
    func place(_ index: Int) -> [UInt8] { path + Array("/\(index)".utf8) }
    let start = writer.mark
    for step in difference.steps {
      switch step {
      case .remove(let index): writer.operation(.remove, place(index))
      case .add(let key, let index): writer.operation(.add, place(index)) { $0.string(key.text) }
      case .move(let from, let to): writer.move(from: place(from), to: place(to))
      }
    }
    let least = path.count + "[]".utf8.count + keys.count * #""k","#.utf8.count
    writer.replaceIfShorter(from: start, least: least, path) { writeOrder(to: &$0) }
  }
}
