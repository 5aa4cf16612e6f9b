// SPDX-License-Identifier: MIT
import Foundation
import ObservableCore
import Seeded
import Testing
import ViewModels

/// Random changes of a list beside a plain array. Some are made within transactions, and some of these are undone.
///
/// `EURIPUS_SEED` sets the seed, which a failure prints.
@Suite struct `A keyed list and a plain array` {
  @Test(arguments: 0..<8) func `are the same after each step of a random script`(part: UInt64) throws {
    let set = ProcessInfo.processInfo.environment["EURIPUS_SEED"].flatMap { UInt64($0) }
    for seed in 0..<(set == nil ? 25 : 1) {
      var script = ListScript(seed: set ?? 20_260_101 + part * 1_000 + UInt64(seed))
      for _ in 0..<40 {
        script.step()
        if let difference = script.difference {
          Issue.record("\(difference)\n\(script)")
          return
        }
      }
    }
  }
}

/// A list and its twin, with the changes that were made to both. It makes the next change.
private struct ListScript: CustomStringConvertible {
  private final class Row: ViewModel {
    let number: Int
    init(_ number: Int) { self.number = number }
    static let surface = Surface<Row>("row")
  }

  private struct Failure: Error {}

  private let seed: UInt64
  private var random: SeededGenerator
  private let list = KeyedList<Row>()
  private var twin: [(key: String, number: Int)] = []
  /// Follows the list, as a view does.
  private let shown: Computed<[String]>
  private let told = Told()
  private var lastNumber = 0
  private var steps: [String] = []

  private final class Told {
    var keys: [String] = []
  }

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    shown = Computed { [list] in list.keys }
    shown.addObserver(Observer { [told] in told.keys = $0 })
  }

  var description: String { "seed \(seed)\n\(steps.joined(separator: "\n"))" }

  /// The first difference of the list from the array; `nil` if there is none.
  var difference: String? {
    let keys = twin.map(\.key)
    if list.keys != keys { return "keys \(list.keys), not \(keys)" }
    if list.count != keys.count || list.isEmpty != keys.isEmpty { return "count \(list.count), not \(keys.count)" }
    if shown.value != keys { return "a formula gives \(shown.value), not \(keys)" }
    for (index, row) in twin.enumerated() {
      if list.index(of: row.key) != index { return "\(row.key) at \(list.index(of: row.key) ?? -1), not \(index)" }
      let number = list[row.key]?.number ?? -1
      if number != row.number { return "\(row.key) is \(number), not \(row.number)" }
    }
    for key in Self.keys where !keys.contains(key) && (list[key] != nil || list.index(of: key) != nil) {
      return "\(key) is there"
    }
    return list.rows.map(\.number) == twin.map(\.number) ? nil : "rows \(list.rows.map(\.number))"
  }

  private var toldDifference: String? {
    told.keys == twin.map(\.key) ? nil : "an observer knows \(told.keys), not \(twin.map(\.key))"
  }

  static let keys = (0..<12).map { "k\($0)" }

  mutating func step() {
    switch number(0..<3) {
    case 0: change()
    case 1: batch(fails: false)
    default: batch(fails: true)
    }
    if let difference = toldDifference { Issue.record("\(difference)\n\(self)") }
  }

  private mutating func batch(fails: Bool) {
    let before = twin
    steps.append("transaction")
    do {
      try transaction(.undo) {
        for _ in 0..<number(0..<8) {
          change()
          // A look at the list in between may give it another index.
          if number(0..<2) == 0, let difference { Issue.record("within: \(difference)\n\(self)") }
        }
        if fails { throw Failure() }
      }
    } catch { twin = before }
    steps.append(fails ? "undone" : "done")
  }

  private mutating func change() {
    let key = Self.keys[number(0..<Self.keys.count)]
    let others = twin.filter { $0.key != key }
    let index = number(0..<others.count + 1)
    switch number(0..<16) {
    case 0..<4:
      steps.append("append \(key)")
      if others.count == twin.count { list.append(row(), key: key) } else { list.put(row(), key: key) }
      twin = others + [(key, lastNumber)]
    case 4..<7:
      steps.append("insert \(key) at \(index)")
      if others.count == twin.count {
        list.insert(row(), key: key, at: index)
      } else {
        list.put(row(), key: key, at: index)
      }
      twin = others
      twin.insert((key, lastNumber), at: index)
    case 7..<9:
      steps.append("remove \(key)")
      #expect(list.remove(key) == (others.count < twin.count))
      twin = others
    case 9..<12: move(key, to: index, others)
    case 12: reorder()
    case 13: update()
    case 14:
      steps.append("sort")
      list.sort { $0.number % 5 < $1.number % 5 }
      twin = twin.enumerated().sorted { ($0.element.number % 5, $0.offset) < ($1.element.number % 5, $1.offset) }
        .map(\.element)
    default:
      if number(0..<4) > 0 { return }
      steps.append("remove all")
      list.removeAll()
      twin = []
    }
  }

  private mutating func move(_ key: String, to index: Int, _ others: [(key: String, number: Int)]) {
    guard let row = twin.first(where: { $0.key == key }) else { return list.move(key, to: index) }
    steps.append("move \(key) to \(index)")
    list.move(key, to: index)
    twin = others
    twin.insert(row, at: index)
  }

  private mutating func reorder() {
    let keys = someKeys()
    steps.append("reorder \(keys)")
    list.reorder(keys)
    var first: [(key: String, number: Int)] = []
    for key in keys where !first.contains(where: { $0.key == key }) { first += twin.filter { $0.key == key } }
    twin = first + twin.filter { row in !first.contains { $0.key == row.key } }
  }

  private mutating func update() {
    let keys = someKeys()
    lastNumber += 1
    steps.append("update \(keys)")
    list.update(keys) { [lastNumber] _ in Row(lastNumber) }
    var new: [(key: String, number: Int)] = []
    for key in keys where !new.contains(where: { $0.key == key }) {
      new.append(twin.first { $0.key == key } ?? (key, lastNumber))
    }
    twin = new
  }

  private mutating func someKeys() -> [String] {
    (0..<number(0..<10)).map { _ in Self.keys[number(0..<Self.keys.count)] }
  }

  private mutating func row() -> Row {
    lastNumber += 1
    return Row(lastNumber)
  }

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
}
