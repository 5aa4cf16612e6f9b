// SPDX-License-Identifier: MIT

/// Writes JSON text into bytes, without whitespace; the same calls always give the same bytes.
///
/// Commas come by themselves. Whether keys and values alternate and brackets match is the caller's to see to: it is not
/// checked.
public struct JSONWriter: Sendable {
  /// The text so far.
  public internal(set) var bytes: [UInt8] = []
  /// Set after a value, cleared after an opening bracket and after a key.
  private var needsComma = false

  /// - Parameter capacity: the number of bytes to make room for at once.
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

  /// The shortest text that reads back as an equal value. A value that is not finite becomes `null`, as in ECMAScript's
  /// `JSON.stringify`: JSON has no other word for it.
  public mutating func number(_ value: Double) {
    beginValue()
    append(shortest: value)
  }

  /// One value, already in JSON; not checked.
  public mutating func raw(_ json: String) {
    beginValue()
    append(json)
  }

  /// One value, already in JSON; not checked.
  public mutating func raw(_ json: [UInt8]) {
    beginValue()
    bytes.append(contentsOf: json)
  }

  /// The start of a value, already in JSON, that the next value completes: an object up to its last member's colon, or
  /// a member up to its own. Not checked.
  public mutating func rawPrefix(_ json: [UInt8]) {
    beginValue()
    bytes.append(contentsOf: json)
    needsComma = false
  }

  /// The same, of a text.
  public mutating func rawPrefix(_ json: String) {
    beginValue()
    append(json)
    needsComma = false
  }

  /// Ends a value that `rawPrefix(_:)` started. Not checked.
  public mutating func rawSuffix(_ json: String) {
    append(json)
    needsComma = true
  }

  /// A place in the text, to come back to.
  public struct Mark {
    /// The number of bytes before it.
    public let length: Int
    fileprivate let needsComma: Bool
  }

  /// The text after a mark, to be put back after the same one.
  public struct Tail {
    fileprivate let bytes: [UInt8]
    fileprivate let needsComma: Bool
    public var length: Int { bytes.count }
  }

  public var mark: Mark { Mark(length: bytes.count, needsComma: needsComma) }

  /// Takes back the text after `mark`.
  public mutating func cut(from mark: Mark) -> Tail {
    let tail = Tail(bytes: Array(bytes[mark.length...]), needsComma: needsComma)
    bytes.removeLast(bytes.count - mark.length)
    needsComma = mark.needsComma
    return tail
  }

  /// Writes a text again that was taken back; the same bytes, if the mark was the same.
  public mutating func paste(_ tail: Tail) {
    bytes.append(contentsOf: tail.bytes)
    needsComma = tail.needsComma
  }

  public mutating func beginObject() { open(UInt8(ascii: "{")) }
  public mutating func endObject() { close(UInt8(ascii: "}")) }
  public mutating func beginArray() { open(UInt8(ascii: "[")) }
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// The name of the member whose value comes next.
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
