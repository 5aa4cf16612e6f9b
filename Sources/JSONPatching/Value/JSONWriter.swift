// SPDX-License-Identifier: MIT

/// Writes JSON text into bytes, without whitespace. The same calls always give the same bytes.
///
/// Commas come by themselves. The caller has to alternate keys and values, and to match brackets. That is not
/// checked.
public struct JSONWriter: Sendable {
  /// The text so far.
  public internal(set) var bytes: [UInt8] = []
  /// Set after a value, and cleared after an opening bracket and after a key.
  private var needsComma = false

  /// - Parameter capacity: the number of bytes for which room is made at once.
  public init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

  /// The number of bytes written so far.
  public var count: Int { bytes.count }

  public mutating func null() { raw("null") }
  public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

  public mutating func string(_ value: String) {
    beginValue()
    append(quoted: value)
  }

  public mutating func integer(_ value: Int64) {
    beginValue()
    append(decimal: value)
  }

  public mutating func integer(_ value: UInt64) {
    beginValue()
    append(decimal: value)
  }

  public mutating func integer(_ value: Int) { integer(Int64(value)) }

  /// Writes the shortest text that reads back as an equal value. A value that is not finite becomes `null`, as
  /// in ECMAScript's `JSON.stringify`, since JSON has no other word for it.
  public mutating func number(_ value: Double) {
    beginValue()
    append(shortest: value)
  }

  /// Writes one value that is JSON already. It is not checked.
  public mutating func raw(_ json: String) {
    beginValue()
    append(json)
  }

  /// Writes one value that is JSON already. It is not checked.
  public mutating func raw(_ json: [UInt8]) {
    beginValue()
    bytes.append(contentsOf: json)
  }

  /// Writes the start of a value in JSON, which the next value completes: an object up to the colon of its last
  /// member, or a member up to its colon. It is not checked.
  public mutating func rawPrefix(_ json: [UInt8]) {
    beginValue()
    bytes.append(contentsOf: json)
    needsComma = false
  }

  /// Writes the start of a value from a text.
  public mutating func rawPrefix(_ json: String) {
    beginValue()
    append(json)
    needsComma = false
  }

  /// Ends a value that `rawPrefix(_:)` started. It is not checked.
  public mutating func rawSuffix(_ json: String) {
    append(json)
    needsComma = true
  }

  /// A place in the text to which the writer can come back.
  public struct Mark {
    /// The number of bytes before it.
    public let length: Int
    fileprivate let needsComma: Bool
  }

  /// The text after a mark, which can be put back after the same mark.
  public struct Tail {
    fileprivate let bytes: [UInt8]
    fileprivate let needsComma: Bool
    public var length: Int { bytes.count }
  }

  public var mark: Mark { Mark(length: bytes.count, needsComma: needsComma) }

  /// Takes the text after `mark` out.
  public mutating func cut(from mark: Mark) -> Tail {
    let tail = Tail(bytes: Array(bytes[mark.length...]), needsComma: needsComma)
    bytes.removeLast(bytes.count - mark.length)
    needsComma = mark.needsComma
    return tail
  }

  /// Writes a text that was taken out once more. The bytes are the same if the mark is the same.
  public mutating func paste(_ tail: Tail) {
    bytes.append(contentsOf: tail.bytes)
    needsComma = tail.needsComma
  }

  public mutating func beginObject() { open(UInt8(ascii: "{")) }
  public mutating func endObject() { close(UInt8(ascii: "}")) }
  public mutating func beginArray() { open(UInt8(ascii: "[")) }
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Writes the name of the member whose value comes next.
  public mutating func key(_ name: String) {
    beginValue()
    append(quoted: name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  public mutating func json(_ value: JSON) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .number(let value): number(value)
    case .string(let value): string(value)
    case .array(let elements):
      beginArray()
      for element in elements { json(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        key(member.name)
        json(member.value)
      }
      endObject()
    }
  }

  private mutating func beginValue() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    beginValue()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }
}

extension JSON {
  /// The shortest text of a value.
  package static func text(of value: JSON) -> [UInt8] {
    var writer = JSONWriter(capacity: 128)
    writer.json(value)
    return writer.bytes
  }
}
