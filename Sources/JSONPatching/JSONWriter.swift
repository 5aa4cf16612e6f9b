// SPDX-License-Identifier: MIT

/// Writes JSON text into bytes, without whitespace; the same calls always give the same bytes.
///
/// Commas come by themselves. Whether keys and values alternate and brackets match is the caller's to see to: it is not
/// checked.
public struct JSONWriter: ~Copyable {
  /// What was written so far.
  public private(set) var bytes: [UInt8] = []
  /// Set after a value, cleared after an opening bracket and after a key.
  private var needsComma = false

  /// - Parameter capacity: the number of bytes to make room for at once.
  public init(capacity: Int = 256) {
    if capacity > 0 { bytes.reserveCapacity(capacity) }
  }

  public mutating func null() { raw("null") }
  public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

  public mutating func string(_ value: String) {
    beginValue()
    bytes.appendJSONString(value)
  }

  public mutating func integer(_ value: Int64) {
    beginValue()
    bytes.appendDecimal(value)
  }

  public mutating func integer(_ value: Int) { integer(Int64(value)) }

  /// The shortest text that reads back as an equal value. A value that is not finite becomes `null`, as in ECMAScript's
  /// `JSON.stringify`: JSON has no other word for it.
  public mutating func number(_ value: Double) {
    beginValue()
    bytes.appendShortest(value)
  }

  /// One value, already in JSON; not checked.
  public mutating func raw(_ json: StaticString) {
    raw(UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
  }

  /// One value, already in JSON; not checked.
  public mutating func raw(_ json: [UInt8]) {
    beginValue()
    // An array would be kept alive for the call.
    json.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }

  /// One value, already in JSON; not checked.
  public mutating func raw(_ json: some Sequence<UInt8>) {
    beginValue()
    bytes.append(contentsOf: json)
  }

  /// The start of a value, already in JSON, that the next value completes: an object up to its last member's colon, or
  /// a member up to its own. Not checked.
  public mutating func rawPrefix(_ json: [UInt8]) {
    beginValue()
    json.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    needsComma = false
  }

  /// The same, of a text that is known beforehand.
  public mutating func rawPrefix(_ json: StaticString) {
    beginValue()
    bytes.append(contentsOf: UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
    needsComma = false
  }

  /// A string of text that needs no escape (RFC 8259 §7), which `body` appends. Not checked.
  public mutating func rawString(_ body: (inout [UInt8]) -> Void) {
    beginValue()
    bytes.append(UInt8(ascii: "\""))
    body(&bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Ends a value that `rawPrefix(_:)` started. Not checked.
  public mutating func rawSuffix(_ json: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
    needsComma = true
  }

  /// A place in what was written, to come back to.
  public struct Mark {
    /// The number of bytes before it.
    public let length: Int
    fileprivate let needsComma: Bool
  }

  /// What was written after a mark, to be put back after the same one.
  public struct Tail {
    fileprivate let bytes: [UInt8]
    fileprivate let needsComma: Bool
    public var length: Int { bytes.count }
  }

  public var mark: Mark { Mark(length: bytes.count, needsComma: needsComma) }

  /// Takes back what was written after `mark`.
  public mutating func cut(from mark: Mark) -> Tail {
    let tail = Tail(bytes: Array(bytes[mark.length...]), needsComma: needsComma)
    bytes.removeLast(tail.length)
    needsComma = mark.needsComma
    return tail
  }

  /// Writes again what was taken back; the same bytes, if the mark was the same.
  public mutating func paste(_ tail: Tail) {
    bytes += tail.bytes
    needsComma = tail.needsComma
  }

  /// How many bytes the value has that `body` writes; it is taken back.
  public mutating func length(_ body: (inout JSONWriter) -> Void) -> Int {
    let start = mark
    needsComma = false
    body(&self)
    let length = bytes.count - start.length
    bytes.removeLast(length)
    needsComma = start.needsComma
    return length
  }

  public mutating func beginObject() { open(UInt8(ascii: "{")) }
  public mutating func endObject() { close(UInt8(ascii: "}")) }
  public mutating func beginArray() { open(UInt8(ascii: "[")) }
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// The name of the member whose value comes next.
  public mutating func key(_ name: String) {
    beginValue()
    bytes.appendJSONString(name)
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
