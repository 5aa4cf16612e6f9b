// SPDX-License-Identifier: MIT
import JSONPatching
import Seeded

extension JSON {
  static func random(depth: Int, _ random: inout SeededGenerator) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: .null
    case 1: .bool(Bool.random(using: &random))
    case 2: .integer(Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random))
    case 3: .number(Double(Int64.random(in: -1_000_000...1_000_000, using: &random)) / 64)
    case 4: .number(Double.random(in: -1e30...1e30, using: &random))
    case 5: .string(text(&random))
    case 6: .array((0..<Int.random(in: 0..<6, using: &random)).map { _ in .random(depth: depth - 1, &random) })
    default:
      .object(
        (0..<Int.random(in: 0..<20, using: &random)).map { index in
          Member(name: text(&random) + String(index), value: .random(depth: depth - 1, &random))
        })
    }
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    let alphabet: [Unicode.Scalar] = [
      "a", "Z", "\"", "\\", "/", "\0", "\n", "\u{1F}", "\u{7F}", "é", "用", "\u{FFFF}", "😀",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0..<30, using: &random) {
      text.unicodeScalars.append(alphabet[Int.random(in: alphabet.indices, using: &random)])
    }
    return text
  }
}
