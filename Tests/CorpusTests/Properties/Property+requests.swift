// SPDX-License-Identifier: MIT
import JSONPatching

@testable import EuripusServer
@testable import Sessions
@testable import Storing

extension Property {
  /// The segments of a target that is taken are texts without control characters. With each of their bytes
  /// percent-encoded they are read as the same segments.
  static let target = Property(name: "target") { bytes in
    guard let target = String(validating: bytes, as: UTF8.self).flatMap({ RequestTarget($0) }) else { return }
    try want(!target.segments.isEmpty, "a target without a segment")
    for segment in target.segments {
      try want(segment.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a control character in '\(segment)'")
    }
    let digits = Array("0123456789abcdef".utf8)
    let encoded = target.segments.flatMap { segment in
      [UInt8(ascii: "/")] + segment.utf8.flatMap { [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
    let again = RequestTarget(String(decoding: encoded, as: UTF8.self))?.segments
    try want(again?.map { Array($0.utf8) } == target.segments.map { Array($0.utf8) }, "encoded it has other segments")
    let (first, second) = (RouteTable.all.find(target.segments), again.flatMap { RouteTable.all.find($0) })
    try want(
      first.resource?.number == second?.resource?.number && first.match == second?.match, "encoded it goes elsewhere")
    for text in target.parameters("since") {
      if let version = Version(text) { try want(version.description == text, "the version of \(text) is \(version)") }
    }
  }

  /// A value that is read from a field of a request is within its bounds. The text as which it is written reads
  /// as the same value.
  static let fields = Property(name: "fields") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    if let wait = Preferences(text).wait {
      try want((1...Preferences.longestWait).contains(wait), "a wait of \(wait) s")
    }
    if let key = IdempotencyKey(text) {
      try want(IdempotencyKey(key.description) == key, "the key \(key) is another one when it is written")
      try want((1...IdempotencyKey.maxLength).contains(key.description.utf8.count), "a key of that length")
    }
    if let version = Version(text) {
      try want(Array(version.description.utf8) == Array(text.utf8), "the version of \(text) is \(version)")
      let tags = EntityTags("W/\"x,y\", \"\(text)\"")
      try want(tags?.contains(text) == true && tags?.contains("x,y") == true, "a tag of \(text) is not found")
      try want(EntityTags("\"\(text)\"")?.version == version, "a lone tag of \(text) is no version")
    }
    if let tags = EntityTags(text) { _ = (tags.version, tags.strongTags, tags.allTags, tags.contains("k7q2mzx4.12")) }
    let types = ["application/json", "text/event-stream"]
    if let best = Accept(text).best(of: types) { try want(types.contains(best), "a type that was not offered") }
    if case .part(let range) = ByteRange(text, of: 10) {
      try want(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= 10, "a part of 10 bytes that is \(range)")
    }
    let codings = AcceptEncoding(text)
    try want(codings.best(of: []) == nil, "a coding that was not offered")
    _ = codings.best(of: ContentCoding.allCases)
    let isJSON = MediaType.isJSON(text)
    // White space before a value is no part of it (RFC 9110 §5.5).
    let type = text.drop { $0 == " " || $0 == "\t" }
    try want(!isJSON || type.lowercased().hasPrefix("application/json"), "taken for JSON")
    let keys = KeyCookie.keys("euripus", in: text)
    // Compared by bytes: to characters, a combining mark makes another one of the equals sign.
    try want(keys.isEmpty || text.utf8.contains("euripus=".utf8), "a key from elsewhere")
    try want(!keys.contains("") && Set(keys).count == keys.count, "an empty key, or one that comes twice")
  }

  /// A batch that is read has an entry or a fault for each action in it, and each fault says where it is.
  static let batch = Property(name: "batch") { bytes in
    guard let json = try? JSONReader.read(bytes), let batch = try? ChangeBody(batch: json) else { return }
    try want((1...ChangeBody.maxEntries).contains(batch.changes.count), "a batch of \(batch.changes.count)")
    let malformed = batch.changes.indices.filter { batch.changes[$0] == nil }
    try want(batch.faults.count == malformed.count, "\(batch.faults.count) faults in \(malformed.count) entries")
    for (index, fault) in zip(malformed, batch.faults) {
      guard let pointer = JSONPointer(fault.pointer) else { throw Violated("'\(fault.pointer)' is no pointer") }
      let isThere = json[0] == nil || pointer.tokens.first == "\(index)"
      try want(isThere && !fault.detail.isEmpty, "a fault of \(index) at \(fault.pointer)")
    }
  }
}
