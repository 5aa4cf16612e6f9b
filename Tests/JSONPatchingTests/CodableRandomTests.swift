// SPDX-License-Identifier: MIT
import Foundation
import JSONPatching
import Seeded
import Testing

/// Foundation's coders are the oracle: they share no code with ours.
@Suite struct `A random value of a Codable type` {
  struct Everything: Codable, Equatable, JSONRepresentable {
    var text: String
    var numbers: [Int8]
    var large: [Int64]
    var real: Double
    var small: Float
    var flag: Bool?
    var byName: [String: Part]
    var byNumber: [Int: [String]]
    var parts: [Part?]
    var shape: Shape
  }

  struct Part: Codable, Equatable {
    var size: Size
    var note: String?
    var unsigned: UInt32
  }

  /// `EURIPUS_SEED` is another one.
  let seed = SeededGenerator.seed

  init() { print("random Codable values start from seed \(seed)") }

  @Test func `is read back equal, by us and by others`() throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let value = everything(&random)
      let text = written(value)
      #expect(try Everything(json: read(text)) == value, "seed \(seed)")
      #expect(try JSONDecoder().decode(Everything.self, from: Data(text.utf8)) == value, "seed \(seed)")
      #expect(try Everything(json: read(Array(JSONEncoder().encode(value)))) == value, "seed \(seed)")
    }
  }

  @Test func `with a part of its JSON changed is read as by others, or refused at a place that is there`() throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      var json = try read(written(everything(&random)))
      guard case .object(var members) = json else { return }
      members[Int.random(in: members.indices, using: &random)].value = .random(depth: 2, &random)
      json = .object(members)
      let others = try? JSONDecoder().decode(Everything.self, from: Data(written(json).utf8))
      do throws(JSONMismatch) {
        let ours = try Everything(json: json)
        #expect(ours == others, "seed \(seed), \(json)")
      } catch {
        #expect(others == nil, "seed \(seed), \(error)")
        #expect(error.pointer.tokens.reduce(json as JSON?) { at($0, $1) } != nil, "seed \(seed), \(error)")
      }
    }
  }

  private func at(_ json: JSON?, _ token: String) -> JSON? { json?[token] ?? Int(token).flatMap { json?[$0] } }

  private func everything(_ random: inout SeededGenerator) -> Everything {
    let real = Double(bitPattern: random.next())
    let small = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
    return Everything(
      text: text(&random), numbers: many(&random) { Int8.random(in: .min ... .max, using: &$0) },
      large: many(&random) { Int64(bitPattern: $0.next()) }, real: real.isFinite ? real : 0.5,
      small: small.isFinite ? small : 0.1, flag: [true, false, nil].randomElement(using: &random) ?? nil,
      byName: Dictionary(many(&random) { (text(&$0), part(&$0)) }) { first, _ in first },
      byNumber: Dictionary(many(&random) { (Int.random(in: -9...9, using: &$0), many(&$0, text)) }) { first, _ in first
      },
      parts: many(&random) { Bool.random(using: &$0) ? part(&$0) : nil },
      shape: Bool.random(using: &random) ? .circle(radius: .random(in: 0...9, using: &random)) : .none)
  }

  private func part(_ random: inout SeededGenerator) -> Part {
    Part(
      size: Size.allCases.randomElement(using: &random) ?? .small,
      note: Bool.random(using: &random) ? text(&random) : nil, unsigned: .random(in: 0 ... .max, using: &random))
  }

  private func text(_ random: inout SeededGenerator) -> String {
    String(
      (0..<Int.random(in: 0...5, using: &random)).map { _ in "abä用😀\"\\\n\0".randomElement(using: &random) ?? "a" })
  }

  private func many<Value>(_ random: inout SeededGenerator, _ one: (inout SeededGenerator) -> Value) -> [Value] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in one(&random) }
  }
}
