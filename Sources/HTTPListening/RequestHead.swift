// SPDX-License-Identifier: MIT
import Glibc

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
  @exclusivity(unchecked) var bytes: [UInt8] = []
  @exclusivity(unchecked) private(set) var fields: [Field] = []
  /// A bit for each name that there may be: most names that are looked for are not there.
  @exclusivity(unchecked) private var names: UInt64 = 0
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
    if bytes.capacity > Self.keptCapacity { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
    if target.capacity > Self.keptCapacity { target = [] } else { target.removeAll(keepingCapacity: true) }
    fields.removeAll(keepingCapacity: true)
    names = 0
    method = 0..<0
    isVersion0 = false
    isHead = false
    hosts = 0
    saysClose = false
    saysKeepAlive = false
  }

  /// Whether the connection serves another request after this one.
  var keepsAlive: Bool { !saysClose && (!isVersion0 || saysKeepAlive) }

  var methodName: String { String(decoding: bytes[method], as: UTF8.self) }

  /// - Parameter name: the field's, as `bytes` has nothing while the head is read.
  func append(_ field: Field, _ name: UnsafeBufferPointer<UInt8>) {
    fields.append(field)
    names |= Self.bit(name)
  }

  /// The same for the same name in any case.
  private static func bit(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard let first = name.first else { return 0 }
    return 1 &<< UInt64(truncatingIfNeeded: name.count &* 7 &+ Int(first | 0x20))
  }

  private func mayHave(_ name: StaticString) -> Bool {
    names & Self.bit(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)) != 0
  }

  /// The value of the first field of this name.
  func value(_ name: StaticString) -> ArraySlice<UInt8>? {
    guard mayHave(name), let first = first(name) else { return nil }
    return bytes[places(of: fields[first])]
  }

  // On its own, so that no array is kept alive for who looks in vain.
  @inline(never)
  private func first(_ name: StaticString) -> Int? {
    bytes.withUnsafeBytes { head in fields.firstIndex { matches($0, name, head) } }
  }

  func count(_ name: StaticString) -> Int {
    mayHave(name) ? counted(name) : 0
  }

  @inline(never)
  private func counted(_ name: StaticString) -> Int {
    bytes.withUnsafeBytes { head in fields.reduce(0) { $0 + (matches($1, name, head) ? 1 : 0) } }
  }

  func values(_ name: StaticString) -> [String] {
    bytes.withUnsafeBytes { head in fields.filter { matches($0, name, head) } }
      .map { String(decoding: bytes[places(of: $0)], as: UTF8.self) }
  }

  private func matches(_ field: Field, _ name: StaticString, _ head: UnsafeRawBufferPointer) -> Bool {
    guard Int(field.nameEnd - field.nameStart) == name.utf8CodeUnitCount else { return false }
    let found = UnsafeRawBufferPointer(rebasing: head[Int(field.nameStart)..<Int(field.nameEnd)])
    // Most clients write a name as its standard does.
    if let start = found.baseAddress, memcmp(start, name.utf8Start, found.count) == 0 { return true }
    return name.withUTF8Buffer { equalsIgnoringCase($0, found.assumingMemoryBound(to: UInt8.self)) }
  }

  private func places(of field: Field) -> Range<Int> { Int(field.valueStart)..<Int(field.valueEnd) }
}
