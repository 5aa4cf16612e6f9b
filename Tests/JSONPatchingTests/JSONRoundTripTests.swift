// SPDX-License-Identifier: MIT
import JSONPatching
import Seeded
import Testing

@Suite struct `What was written` {
  /// To repeat a failure, put the number that was printed here.
  let seed = UInt64.random(in: 0...UInt64.max)

  init() { print("JSON round trips start from seed \(seed)") }

  @Test func `reads back as an equal value and writes the same bytes again`() throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let value = JSON.random(depth: 5, &random)
      let text = written(value)
      let back = try read(Array(text.utf8), limits: .init(nodes: 100_000))
      #expect(back == value, "seed \(seed)")
      #expect(written(back) == text, "seed \(seed)")
    }
  }

  @Test func `reads back to the bit where it is a Double`() throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      let text = written(.number(value))
      switch try read(text) {
      case .number(let back): #expect(back.bitPattern == value.bitPattern, "\(text), seed \(seed)")
      case .integer(let back): #expect(Double(back) == value, "\(text), seed \(seed)")
      default: Issue.record("\(text) is no number, seed \(seed)")
      }
    }
  }

  @Test func `with its bytes changed at random is read or refused, and what is read writes and reads the same`() {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      var bytes = Array(written(JSON.random(depth: 3, &random)).utf8)
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] =
          Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random)
          : Array(#"[]{}",:\-+.eE019u "#.utf8).randomElement(using: &random) ?? 0
      }
      do {
        let value = try read(bytes, limits: .init(nodes: 100_000))
        #expect(try read(Array(written(value).utf8), limits: .init(nodes: 100_000)) == value, "seed \(seed)")
      } catch {
        #expect((0...bytes.count).contains(error.offset), "seed \(seed)")
      }
    }
  }

  /// Texts with a decimal point, a sign and an exponent, against the standard library's reading of the same texts.
  @Test func `as a decimal fraction reads as the standard library's nearest Double`() throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let digits = String(random.next() >> UInt64.random(in: 0..<60, using: &random))
      let text = "\(digits).\(random.next() % 1_000_000)e\(Int.random(in: -40...40, using: &random))"
      #expect(try read(text).number == Double(text), "\(text), seed \(seed)")
    }
  }
}
