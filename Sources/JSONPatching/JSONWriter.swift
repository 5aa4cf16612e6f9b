// SPDX-License-Identifier: MIT
package import Buffers

/// Writes JSON text into bytes, without whitespace; the same calls always give the same bytes.
///
/// Commas come by themselves. Whether keys and values alternate and brackets match is the caller's to see to: it is not
/// checked.
public struct JSONWriter: ~Copyable {
  private var buffer: Buffer<UInt8>
  /// Where the memory is that was lent to a scratch writer; `nil` for another.
  private let lent: UnsafeMutablePointer<UInt8>?
  /// Set after a value, cleared after an opening bracket and after a key.
  private var needsComma = false

  /// - Parameter capacity: the number of bytes to make room for at once.
  public init(capacity: Int = 256) {
    buffer = Buffer(capacity: capacity)
    lent = nil
  }

  private init(in lent: UnsafeMutableBufferPointer<UInt8>) {
    buffer = Buffer(in: lent)
    self.lent = lent.baseAddress
  }

  /// Lends `body` a writer for a text that is mostly short: no memory is asked for until it is longer than a few hundred bytes.
  ///
  // Not generic: it is not known elsewhere what is inside, and so the runtime would have to be asked for its types.
  package static func withScratch(_ body: (inout JSONWriter) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { lent in
      var writer = JSONWriter(in: lent)
      body(&writer)
      // Who has swapped it for one of theirs has one without memory now. Not preconditionFailure, which says nothing in a release
      // build.
      guard writer.lent == lent.baseAddress else { fatalError("a JSONWriter was moved out of where it was lent") }
    }
  }

  /// What `body` writes, with memory for just that.
  package static func text(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    withScratch { writer in
      body(&writer)
      bytes = writer.bytes
    }
    return bytes
  }

  /// What was written so far. O(its length), as it is copied.
  public var bytes: [UInt8] { [UInt8](buffer) }

  /// How many bytes were written so far.
  public var count: Int { buffer.count }

  public mutating func null() { raw("null") }
  public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

  public mutating func string(_ value: String) {
    beginValue()
    buffer.appendJSONString(value)
  }

  public mutating func integer(_ value: Int64) {
    beginValue()
    buffer.append(decimal: value)
  }

  public mutating func integer(_ value: Int) { integer(Int64(value)) }

  /// The shortest text that reads back as an equal value. A value that is not finite becomes `null`, as in ECMAScript's
  /// `JSON.stringify`: JSON has no other word for it.
  public mutating func number(_ value: Double) {
    beginValue()
    buffer.appendShortest(value)
  }

  /// One value, already in JSON; not checked.
  public mutating func raw(_ json: StaticString) {
    raw(UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
  }

  /// One value, already in JSON; not checked.
  public mutating func raw(_ json: [UInt8]) {
    beginValue()
    buffer.append(contentsOf: json)
  }

  /// One value, already in JSON; not checked.
  public mutating func raw(_ json: some Sequence<UInt8>) {
    beginValue()
    for byte in json { buffer.append(byte) }
  }

  /// The start of a value, already in JSON, that the next value completes: an object up to its last member's colon, or
  /// a member up to its own. Not checked.
  public mutating func rawPrefix(_ json: [UInt8]) {
    beginValue()
    buffer.append(contentsOf: json)
    needsComma = false
  }

  /// The same, of a text that is known beforehand.
  public mutating func rawPrefix(_ json: StaticString) {
    beginValue()
    buffer.append(json)
    needsComma = false
  }

  /// A string of text that needs no escape (RFC 8259 §7), which `body` appends. Not checked.
  package mutating func rawString(_ body: (inout Buffer<UInt8>) -> Void) {
    beginValue()
    buffer.append(UInt8(ascii: "\""))
    body(&buffer)
    buffer.append(UInt8(ascii: "\""))
  }

  /// Ends a value that `rawPrefix(_:)` started. Not checked.
  public mutating func rawSuffix(_ json: StaticString) {
    buffer.append(json)
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

  public var mark: Mark { Mark(length: buffer.count, needsComma: needsComma) }

  /// Takes back what was written after `mark`.
  public mutating func cut(from mark: Mark) -> Tail {
    let tail = Tail(bytes: Array(buffer.elements[mark.length...]), needsComma: needsComma)
    buffer.removeAll(from: mark.length)
    needsComma = mark.needsComma
    return tail
  }

  /// Writes again what was taken back; the same bytes, if the mark was the same.
  public mutating func paste(_ tail: Tail) {
    buffer.append(contentsOf: tail.bytes)
    needsComma = tail.needsComma
  }

  /// How many bytes the value has that `body` writes; it is taken back.
  public mutating func length(_ body: (inout JSONWriter) -> Void) -> Int {
    let start = mark
    needsComma = false
    body(&self)
    let length = buffer.count - start.length
    buffer.removeAll(from: start.length)
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
    buffer.appendJSONString(name)
    buffer.append(UInt8(ascii: ":"))
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

  @inline(__always)
  private mutating func beginValue() {
    if needsComma { buffer.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    beginValue()
    buffer.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    buffer.append(bracket)
    needsComma = true
  }
}
