// SPDX-License-Identifier: MIT
import Glibc
import JSONPatching
import Seeded
import Testing

@Suite struct `A written text` {
  /// `EURIPUS_SEED` is another one.
  let seed = SeededGenerator.seed

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

  @Test func `is read or refused with its bytes changed at random, and a read value writes and reads the same`() {
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
  @Test func `gives a decimal fraction as the standard library's nearest Double`() throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let digits = String(random.next() >> UInt64.random(in: 0..<60, using: &random))
      let text = "\(digits).\(random.next() % 1_000_000)e\(Int.random(in: -40...40, using: &random))"
      #expect(try read(text).number == Double(text), "\(text), seed \(seed)")
    }
  }

  @Test func `reads back to the bit where it is a Double, and has as few digits as do that`() throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<40_000 {
      // Half of the numbers have few digits: with them, a writer that always gave 17 digits would show.
      let bits = random.next()
      let value = round % 2 == 0 ? Double(bitPattern: bits) : Double(Int32(truncatingIfNeeded: bits)) / 1_000
      guard value.isFinite, value != 0 else { continue }
      let text = written(.number(value))
      switch try read(text) {
      case .number(let back): #expect(back.bitPattern == value.bitPattern, "\(text), seed \(seed)")
      case .integer(let back): #expect(Double(back) == value, "\(text), seed \(seed)")
      default: Issue.record("\(text) is no number, seed \(seed)")
      }
      let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { (0x30...0x39).contains($0) }
      let significant = digits.drop { $0 == 0x30 }.reversed().drop { $0 == 0x30 }.count
      #expect(significant <= 17)
      guard significant > 1 else { continue }
      #expect(strtod(Self.rounded(value, to: significant - 1), nil) != value, "\(text), seed \(seed)")
    }
  }

  /// The nearest decimal with so many significant digits, by the C library.
  private static func rounded(_ value: Double, to digits: Int) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      _ = withVaList([CInt(digits - 1), value]) { vsnprintf(buffer.baseAddress, buffer.count, "%.*e", $0) }
      return String(cString: UnsafePointer(buffer.baseAddress.unsafelyUnwrapped))
    }
  }
}

/// The bytes that the writer makes may be compared, hashed and cached (D7).
@Suite struct `The bytes written` {
  @Test func `are the same in every process, for the same documents`() {
    // FNV-1a over 200 documents of a fixed seed. If it differs, the writer or the random documents have changed.
    var random = SeededGenerator(seed: 8_259)
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for _ in 0..<200 {
      for byte in written(JSON.random(depth: 5, &random)).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    #expect(hash == 7_946_324_077_011_412_576)
  }

  @Test func `do not depend on where a text came from, nor on how Swift stores it`() {
    let bridged = String(decoding: Array("naïve \"text\"\n用户名".utf8), as: UTF8.self)
    var grown = ""
    for scalar in bridged.unicodeScalars { grown.unicodeScalars.append(scalar) }
    let slice = String(("x" + bridged + "x").dropFirst().dropLast())
    #expect(written(.string(grown)) == written(.string(bridged)))
    #expect(written(.string(slice)) == written(.string(bridged)))
  }
}
