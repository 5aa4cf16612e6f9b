// SPDX-License-Identifier: MIT
import Glibc
import Seeded
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

@Suite struct `The byte form of the memory of keys` {
  static let seed = SeededGenerator.seed
  var now = ContinuousClock.now
  var moment: Moment { Moment(instant: now, milliseconds: 1_764_000_000_000) }

  private func request(_ key: String, _ body: String = "") throws -> KeyedRequest { try Driven.request(key, body) }

  private func answer(_ text: String) -> KeptAnswer { .other(form: 409, body: Array(text.utf8), version: nil) }

  private func frame(_ text: String, _ revision: UInt64) -> KeptAnswer {
    .frame(Message(json: Array(text.utf8), version: Version(epoch: "k7q2mzx4", revision: revision)))
  }

  /// A memory with some requests of every kind, and the requests.
  private func memory(_ generator: inout some RandomNumberGenerator) throws -> (KeyMemory, [KeyedRequest]) {
    var memory = KeyMemory(limits: .init(keys: 12, names: 5, bytes: 6_000))
    var requests: [KeyedRequest] = []
    var atWork = 0
    for step in 0..<Int.random(in: 0...40, using: &generator) {
      let key = Bool.random(using: &generator) ? "text\(step)" : "name\(step % 4)/\(step / 4 + 1)"
      let request = try request(key, "\(step)")
      requests.append(request)
      guard memory.decision(on: request, now: now - .seconds(60 - step)) == .new else { continue }
      let answers = [
        nil, answer(String(repeating: "x", count: Int.random(in: 0...900, using: &generator))), frame("{}", 7),
        .other(form: 204, body: [], version: Version(epoch: "a", revision: .max)),
      ]
      var answer = answers.randomElement(using: &generator) ?? nil
      if answer == nil { atWork += 1 }
      if atWork > 6, answer == nil { answer = frame("{}", 8) }
      memory.remember(request, answer, isAtWork: answer == nil, now: now - .seconds(60 - step))
    }
    return (memory, requests)
  }

  @Test func `gives a memory that decides as the first, and the same bytes`() throws {
    var generator = SeededGenerator(seed: Self.seed)
    for _ in 0..<200 {
      var (memory, requests) = try memory(&generator)
      let bytes = memory.encoded(at: moment)
      // Requests at work came on top of the limit of 12. A restored memory has none at work, so its limit is
      // higher.
      var restored = try KeyMemory(decoding: bytes, limits: .init(keys: 18, names: 5, bytes: 6_000), at: moment)
      #expect(restored.encoded(at: moment) == bytes, "seed \(Self.seed)")
      #expect(restored.bytes == memory.bytes && restored.textCount == memory.textCount)
      for request in requests {
        let first = memory.decision(on: request, now: now)
        #expect(
          restored.decision(on: request, now: now) == (first == .atWork ? .decided : first),
          "seed \(Self.seed), \(request.key)")
      }
    }
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.utf8.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
  }

  @Test func `is this, byte for byte`() throws {
    var memory = KeyMemory()
    let first = try request("a")
    memory.remember(first, frame("{}", 300), now: now)
    let second = try request("tab/2")
    memory.remember(second, .other(form: 409, body: [120], version: nil), now: now - .seconds(1))
    let time: [UInt8] = [0x80, 0xD0, 0xDF, 0xB4, 0xAB, 0x33]
    let before: [UInt8] = [0x98, 0xC8, 0xDF, 0xB4, 0xAB, 0x33]
    // These digests cover the text's length as eight bytes, the lowest first, and then the text.
    let a = Self.bytes("ae6121c88ba555f64c3d812123eb799d128015541f850c5e9bf1d54c08ad8481")
    let tab = Self.bytes("c90c835d104d275fc992fd86f8f9083915e69214b805f3ddd873fe9eb2581d1e")
    var expected: [UInt8] = [1, 1] + a + first.digest.bytes + time
    expected += [1, 2, 123, 125, 8] + Array("k7q2mzx4".utf8) + [0xAC, 0x02]
    expected += [1] + tab + [2] + second.digest.bytes + before + [2, 0x99, 0x03, 1, 120, 0]
    #expect(memory.encoded(at: moment) == expected)
    #expect(KeyMemory().encoded(at: moment) == [1, 0, 0])
  }

  @Test func `keeps how old a key is over a restart, and over a clock that is set back`() throws {
    var memory = KeyMemory()
    let request = try request("a")
    memory.remember(request, answer("done"), now: now)
    let bytes = memory.encoded(at: moment)
    let day: Int64 = 86_400_000
    for (milliseconds, isKnown) in [(day - 1, true), (day, false), (-10 * day, true)] {
      let later = Moment(instant: now + .seconds(5), milliseconds: moment.milliseconds + milliseconds)
      var restored = try KeyMemory(decoding: bytes, limits: .init(), at: later)
      #expect((restored.decision(on: request, now: later.instant) == .new) != isKnown, "\(milliseconds)")
    }
  }

  @Test func `has lower limits hold, and forgets the oldest`() throws {
    var memory = KeyMemory()
    for step in 1...20 {
      memory.remember(try request("text\(step)"), answer("done"), now: now - .seconds(30 - step))
      memory.remember(try request("name\(step)/1"), answer("done"), now: now - .seconds(30 - step))
    }
    let bytes = memory.encoded(at: moment)
    var restored = try KeyMemory(decoding: bytes, limits: .init(keys: 3, names: 2, bytes: 2_000), at: moment)
    #expect(restored.textCount == 3 && restored.nameCount == 2 && restored.bytes <= 2_000)
    #expect(restored.decision(on: try request("text17"), now: now) == .new)
    #expect(restored.decision(on: try request("text18"), now: now) != .new)
    #expect(restored.decision(on: try request("name19/2"), now: now) == .new)
    #expect(restored.decision(on: try request("name18/2"), now: now) == .refused(.outOfOrder(expected: 1)))
  }

  @Test func `is refused where it is cut, and is never read beyond its end or over the limits`() throws {
    var generator = SeededGenerator(seed: Self.seed)
    let limits = KeyMemory.Limits(keys: 12, names: 5, bytes: 6_000)
    // `EURIPUS_ROUNDS` is the number of rounds.
    for _ in 0..<(getenv("EURIPUS_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 5) {
      let bytes = try memory(&generator).0.encoded(at: moment)
      for count in 0..<bytes.count {
        #expect(throws: StoredBytesError.self) {
          try KeyMemory(decoding: Array(bytes[..<count]), limits: limits, at: moment)
        }
        var flipped = bytes
        flipped[count] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
        guard let restored = try? KeyMemory(decoding: flipped, limits: limits, at: moment) else { continue }
        #expect(restored.textCount <= 12 && restored.nameCount <= 5 && restored.bytes <= 6_000)
      }
      #expect(throws: StoredBytesError.self) { try KeyMemory(decoding: bytes + [0], limits: limits, at: moment) }
    }
  }
}
