// SPDX-License-Identifier: MIT
import Buffers
import Testing

@Suite struct BufferTests {
  @Test(arguments: 1...32 as ClosedRange<UInt64>)
  func `whatever is appended and taken back, it holds what an array would`(seed: UInt64) {
    var random = SeededRandom(seed)
    var array: [UInt8] = []
    var buffer = Buffer<UInt8>(capacity: Int(seed % 3))
    for _ in 0..<200 {
      let piece = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      switch Int.random(in: 0..<7, using: &random) {
      case 0: buffer.append(7); array.append(7)
      case 1: buffer.append(contentsOf: piece); array += piece
      case 2: piece.withUnsafeBufferPointer { buffer.append(contentsOf: $0) }; array += piece
      case 3: buffer.append("text"); array += "text".utf8
      case 4:
        let number = UInt64.random(in: 0 ... .max, using: &random) >> UInt64.random(in: 0...63, using: &random)
        buffer.append(decimal: number)
        array += "\(number)".utf8
      case 5:
        let end = Int.random(in: 0...array.count, using: &random)
        buffer.removeAll(from: end)
        array.removeSubrange(end...)
      default: buffer.append(utf8: "Grüße"); array += "Grüße".utf8
      }
      #expect(buffer.count == array.count && buffer.isEmpty == array.isEmpty)
      #expect([UInt8](buffer) == array)
    }
  }

  @Test(arguments: [0, 9, 10, 99, 100, 12_345, 999_999_999_999, UInt64.max])
  func `a number is written in decimal digits`(number: UInt64) {
    var buffer = Buffer<UInt8>()
    buffer.append(decimal: number)
    #expect(String(decoding: buffer.elements, as: UTF8.self) == "\(number)")
  }

  @Test func `memory that is lent is used until it is full, and is left as it is then`() {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 8) { lent in
      lent.initialize(repeating: 0)
      var buffer = Buffer(in: lent)
      buffer.append("12345678")
      #expect(buffer.elements.baseAddress == UnsafePointer(lent.baseAddress) && buffer.capacity == 8)
      buffer.append("9")
      #expect(buffer.elements.baseAddress != UnsafePointer(lent.baseAddress))
      buffer.append("abc")
      #expect(String(decoding: buffer.elements, as: UTF8.self) == "123456789abc")
      #expect(Array(lent) == Array("12345678".utf8))
    }
  }

  @Test func `memory that was lent is not kept`() {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 8) { lent in
      var buffer = Buffer(in: lent)
      buffer.append("1234")
      buffer.removeAll(keepingAtMost: 0)
      #expect(buffer.isEmpty && buffer.capacity == 0)
      buffer.append("5678")
      #expect(buffer.elements.baseAddress != UnsafePointer(lent.baseAddress))
    }
  }

  @Test func `one that hands its memory on has none, and the other has that and no more`() {
    var loop = Buffer<UInt8>(capacity: 100)
    var first = Buffer<UInt8>()
    var second = Buffer<UInt8>()
    // Two responses under way: the second has to have memory of its own.
    swap(&first, &loop)
    first.append("first")
    second.append("second")
    first.hand(to: &loop, keepingAtMost: 1_000)
    #expect((first.capacity, loop.capacity, loop.count) == (0, 100, 0))
    let capacity = second.capacity
    second.hand(to: &loop, keepingAtMost: 1_000)
    #expect((second.capacity, loop.capacity, loop.count) == (0, capacity, 0))
    loop.append("third")
    loop.hand(to: &first, keepingAtMost: 1)
    #expect((loop.capacity, first.capacity) == (0, 0))
  }

  @Test func `memory is kept up to a bound`() {
    var buffer = Buffer<UInt64>()
    for number in 0..<100 { buffer.append(UInt64(number)) }
    let capacity = buffer.capacity
    buffer.removeAll(keepingAtMost: capacity)
    #expect(buffer.isEmpty && buffer.capacity == capacity)
    buffer.removeAll(keepingAtMost: capacity - 1)
    #expect(buffer.isEmpty && buffer.capacity == 0)
    buffer.append(1)
    #expect([UInt64](buffer) == [1])
  }
}

/// SplitMix64.
private struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
