// SPDX-License-Identifier: MIT
import Buffers

/// The head of a request as it came, and where its parts stand in it.
///
/// It keeps its memory from request to request.
// A class, so that who looks for a field does not copy it; one thread touches it, and no access lasts over a call.
final class RequestHead {
  /// Where a field stands. 32 bits: no head is that long.
  struct Field {
    var nameStart: UInt32
    var nameEnd: UInt32
    var valueStart: UInt32
    /// Without the white space around the value.
    var valueEnd: UInt32
  }

  /// All of the head that has come.
  @exclusivity(unchecked) var bytes = Buffer<UInt8>()
  @exclusivity(unchecked) private(set) var fields = Buffer<Field>()
  /// A bit for each name that there may be: most names that are looked for are not there.
  @exclusivity(unchecked) private var names: UInt64 = 0
  /// The same for names that there may be several times.
  @exclusivity(unchecked) private var repeated: UInt64 = 0
  /// Where the method stands.
  @exclusivity(unchecked) var method = 0..<0
  /// The request target, as sent.
  @exclusivity(unchecked) var target: [UInt8] = []

  /// Set where the request line says HTTP/1.0.
  @exclusivity(unchecked) var isVersion0 = false
  @exclusivity(unchecked) var isHead = false
  @exclusivity(unchecked) var hosts = 0
  /// Whether the client wants the connection kept after the response, as far as it says so (RFC 9112 §9.3).
  @exclusivity(unchecked) var saysClose = false
  @exclusivity(unchecked) var saysKeepAlive = false

  /// Memory kept between requests, in bytes.
  private static let keptCapacity = 4_096

  func clear() {
    bytes.removeAll(keepingAtMost: Self.keptCapacity)
    if target.capacity > Self.keptCapacity { target = [] } else { target.removeAll(keepingCapacity: true) }
    fields.removeAll(keepingAtMost: .max)
    names = 0
    repeated = 0
    method = 0..<0
    isVersion0 = false
    isHead = false
    hosts = 0
    saysClose = false
    saysKeepAlive = false
  }

  /// Whether the connection serves another request after this one.
  var keepsAlive: Bool { !saysClose && (!isVersion0 || saysKeepAlive) }

  var methodName: String { String(decoding: methodBytes, as: UTF8.self) }

  var methodBytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes.elements[method]) }

  func append(_ field: Field, _ name: UnsafeBufferPointer<UInt8>) {
    fields.append(field)
    let bit = Self.bit(name)
    repeated |= names & bit
    names |= bit
  }

  /// The same for the same name in any case.
  private static func bit(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard let first = name.first else { return 0 }
    return 1 &<< UInt64(truncatingIfNeeded: name.count &* 7 &+ Int(first | 0x20))
  }

  private static func bit(_ name: StaticString) -> UInt64 {
    bit(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  private func mayHave(_ name: StaticString) -> Bool { names & Self.bit(name) != 0 }

  /// Whether there are several fields of this name.
  func hasSeveral(_ name: StaticString) -> Bool { repeated & Self.bit(name) != 0 && count(name) > 1 }

  /// The value of the first field of this name, where it is: until the next request is read.
  func value(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
    guard mayHave(name), let field = fields.elements.first(where: { matches($0, name) }) else { return nil }
    return value(of: field)
  }

  func count(_ name: StaticString) -> Int {
    mayHave(name) ? fields.elements.reduce(0) { $0 + (matches($1, name) ? 1 : 0) } : 0
  }

  func values(_ name: StaticString) -> [String] {
    fields.elements.filter { matches($0, name) }.map { String(decoding: value(of: $0), as: UTF8.self) }
  }

  private func matches(_ field: Field, _ name: StaticString) -> Bool {
    equalsIgnoringCase(UnsafeBufferPointer(rebasing: bytes.elements[Int(field.nameStart)..<Int(field.nameEnd)]), name)
  }

  private func value(of field: Field) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes.elements[Int(field.valueStart)..<Int(field.valueEnd)])
  }
}
