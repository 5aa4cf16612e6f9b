// SPDX-License-Identifier: MIT
import JSONPatching

/// A part of the state that never changes.
final class ConstantPart: StatePart {
  private let json: JSON
  private let text: [UInt8]

  init(_ json: JSON) {
    self.json = json
    var writer = JSONWriter(capacity: 64)
    writer.json(json)
    text = writer.bytes
  }

  override var length: Int { text.count }
  override func measure() -> Int { length }
  override func write(to writer: inout JSONWriter) { writer.raw(text) }

  override func write(at path: ArraySlice<String>, to writer: inout JSONWriter) -> Bool {
    guard let value = path.reduce(json, { $0?[$1] }) else { return false }
    writer.json(value)
    return true
  }

  override func stamp(_ revision: UInt64) -> Bool { false }

  override func writePatch(since: UInt64, at path: inout [UInt8], to writer: inout JSONWriter) -> Bool { true }
}
