// SPDX-License-Identifier: MIT
import JSONPatching

/// A 64-bit hash (FNV-1a) of texts and of JSON, which is the same in every process. JSON counts by its value:
/// the order of members and the spelling of numbers make no difference.
///
/// It does not withstand an attack. But a client that finds two changes of its session with one hash only keeps
/// itself out.
struct Fingerprint {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The hash as a mark, which is never 0.
  var mark: UInt64 { hash == 0 ? 1 : hash }

  /// Adds a text with its length, so that no two sequences of texts are the same.
  mutating func add(_ text: String) {
    add(text.utf8.count)
    for byte in text.utf8 { add(byte) }
  }

  mutating func add(_ number: Int) { add(UInt64(truncatingIfNeeded: number)) }

  mutating func add(_ value: JSON) {
    switch value {
    case .null: add(0)
    case .bool(let value): add(value ? 1 : 2)
    case .integer(let number):
      add(3)
      add(UInt64(bitPattern: number))
    case .number(let number):
      if let integer = Int64(exactly: number) { return add(.integer(integer)) }
      add(4)
      add(number.bitPattern)
    case .string(let text):
      add(5)
      add(text)
    case .array(let elements):
      add(6)
      add(elements.count)
      for element in elements { add(element) }
    case .object(let members):
      add(7)
      add(members.count)
      // The sum is the same in every order.
      add(members.reduce(0) { $0 &+ Self.hash(of: $1) })
    }
  }

  private static func hash(of member: JSON.Member) -> UInt64 {
    var fingerprint = Fingerprint()
    fingerprint.add(member.name)
    fingerprint.add(member.value)
    return fingerprint.hash
  }

  private mutating func add(_ word: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { add(UInt8(truncatingIfNeeded: word >> shift)) }
  }

  private mutating func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
}
