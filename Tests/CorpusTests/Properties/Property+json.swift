// SPDX-License-Identifier: MIT
import Foundation
import JSONPatching

extension Property {
  /// A text that the reader takes is taken by Foundation's reader too, which finds the same value in it. The
  /// value is written as bytes that read back as the same value and are written the same again. A text that the
  /// reader refuses is refused at one of its bytes, or at its end.
  static let json = Property(name: "json") { bytes in
    let limits = JSONLimits(depth: 32, nodes: 100_000)
    let value: JSON
    do { value = try JSONReader.read(bytes, limits: limits) } catch let error as JSONError {
      try want((0...bytes.count).contains(error.offset), "an error at \(error.offset) of \(bytes.count)")
      try want(!error.expected.isEmpty && !error.found.isEmpty, "an error without a text")
      return
    }
    let text = written(value)
    let back: JSON
    do { back = try JSONReader.read(text, limits: limits) } catch {
      throw Violated("what was written is refused, \(error): \(String(decoding: text, as: UTF8.self))")
    }
    try want(back == value, "read back as \(back), not \(value)")
    try want(written(back) == text, "written again as other bytes")
    guard let other = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) else {
      throw Violated("Foundation refuses what was read as \(value)")
    }
    // Foundation drops a byte order mark at the start of a string, as if the string were a text of its own.
    if String(decoding: text, as: UTF8.self).unicodeScalars.contains("\u{FEFF}") { return }
    try want(isSame(value, other), "read as \(value), by Foundation as \(other)")
  }

  static func written(_ value: JSON) -> [UInt8] {
    var writer = JSONWriter()
    writer.json(value)
    return writer.bytes
  }

  private static func isSame(_ value: JSON, _ other: Any) -> Bool {
    switch value {
    case .null: return other is NSNull
    case .bool(let bool): return (other as? NSNumber)?.boolValue == bool
    case .integer(let integer): return (other as? NSNumber)?.int64Value == integer
    case .number(let number):
      guard let other = other as? NSNumber else { return false }
      // Foundation keeps some numbers as decimals, whose `doubleValue` is not the nearest double. Python's
      // reader, which the referee asks, is exact.
      return abs(other.doubleValue - number) <= (other is NSDecimalNumber ? number.magnitude * 1e-12 : 0)
    case .string(let text): return (other as? String).map { Array($0.utf8) == Array(text.utf8) } ?? false
    case .array(let elements):
      guard let others = other as? [Any], others.count == elements.count else { return false }
      return zip(elements, others).allSatisfy(isSame)
    case .object(let members):
      guard let others = other as? [String: Any] else { return false }
      // Swift's dictionary takes canonically equivalent names for one name; the reader does not (RFC 8259 §8.3).
      guard Set(members.map(\.name)).count == members.count else { return true }
      return others.count == members.count
        && members.allSatisfy { member in others[member.name].map { isSame(member.value, $0) } ?? false }
    }
  }
}
