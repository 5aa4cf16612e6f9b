// SPDX-License-Identifier: MIT
import Foundation
import JSONPatching
import ObservableCore
import Testing

@testable import ViewModels

/// A row that is known by its number.
private final class Numbered: ViewModel {
  let number: Int
  private let atEnd: () -> Void
  init(_ number: Int, atEnd: @escaping () -> Void = {}) { (self.number, self.atEnd) = (number, atEnd) }
  deinit { atEnd() }
  static let surface = Surface<Numbered>("numbered")
}

private struct Failure: Error {}

extension KeyedList {
  /// The address of the entries' order in memory. Another address means a copy.
  fileprivate var place: UnsafeRawPointer? { core.entries.withUnsafeBytes(\.baseAddress) }
}

@Suite struct `A keyed list that is changed` {
  private let list = KeyedList<Numbered>()

  private func fill(_ keys: String...) { list.update(keys) { _ in Numbered(0) } }

  // MARK: Reordering

  @Test func `takes an order that is the same for no change`() {
    fill("a", "b", "c")
    var told = 0
    let keys = Computed(cutOff: .never) { [list] in list.keys }
    keys.addObserver(Observer { _ in told += 1 })
    list.reorder(["a", "b"])
    list.move("b", to: 1)
    list.sort { _, _ in false }
    #expect(told == 0)
    list.reorder(["b"])
    #expect(told == 1)
  }

  @Test func `takes the keys before it looks at the rows, whatever giving them does`() {
    fill("a", "b", "c")
    list.reorder(
      ["c", "a"].lazy.map { [list] key in
        list.remove("b")
        return key
      })
    #expect(list.keys == ["c", "a"])
  }

  @Test func `is in order with the changes that the making of its rows has made`() {
    list.update(["a", "b", "c"]) { [list] key in
      if key == "c" {
        list.remove("b")
        list.append(Numbered(0), key: "new")
      }
      return Numbered(key == "c" ? 1 : 2)
    }
    list.sort { $0.number < $1.number }
    #expect(list.keys == ["c", "a", "new"])
    #expect(list["b"] == nil)
    #expect(list.index(of: "new") == 2)
  }

  // MARK: While it is changed

  @Test func `knows its rows while an observer of a change makes another`() {
    let count = Computed { [list] in list.count }
    count.addObserver(Observer { [list] count in if count < 3 { list.append(Numbered(count), key: "\(count)") } })
    list.append(Numbered(0), key: "0")
    #expect(list.keys == ["0", "1", "2"])
    #expect(list.keys.map { list[$0]?.number } == [0, 1, 2])
    #expect(list.keys.map { list.index(of: $0) } == [0, 1, 2])
  }

  @Test func `is whole for a row that goes`() throws {
    var seen: [[String]] = []
    func row(_ key: String) -> Numbered {
      Numbered(0) { [list] in seen.append(list.keys.filter { list[$0] != nil && list.index(of: $0) != nil } + [key]) }
    }
    list.append(row("a"), key: "a")
    list.append(row("b"), key: "b")
    try transaction {
      list.append(row("c"), key: "c")
      list.put(row("c again"), key: "c", at: 0)
      #expect(seen == [["c", "a", "b", "c"]])
      list.append(row("d"), key: "d")
      list.remove("c")
      #expect(seen.dropFirst() == [["a", "b", "d", "c again"]])
      list.update(["b", "a"]) { _ in Numbered(0) }
      #expect(seen.dropFirst(2) == [["b", "a", "d"]])
    }
    list.removeAll()
    #expect(seen.dropFirst(3).map(\.first).allSatisfy { ["a", "b"].contains($0) })
  }

  @Test func `knows the length of its JSON`() {
    for keys in [[], [""], ["a"], ["", "a"], ["a", "b", "c"]] {
      list.update(keys) { _ in Numbered(0) }
      let part = ListPart(list.core, showsKinds: false)
      var writer = JSONWriter()
      part.write(to: &writer)
      #expect(part.length == writer.count, "\(keys)")
    }
  }

  // MARK: Errors

  @Test func `outside of every transaction hands the errors of observers to the session's log, and goes on`() {
    let lines = NotingHost.lines {
      let list = KeyedList<Numbered>(name: "rows")
      let keys = Computed(cutOff: .never) { list.keys }
      keys.addObserver(Observer { _ in throw Failure() })
      list.append(Numbered(0), key: "a")
      list.put(Numbered(1), key: "b", at: 0)
      list.move("a", to: 0)
      list.reorder(["b"])
      list.remove("a")
      #expect(list.keys == ["b"])
      list.update(["c", "d"]) { Numbered($0 == "c" ? 2 : 1) }
      list.sort { $0.number < $1.number }
      #expect(list.keys == ["d", "c"])
      list.removeAll()
      #expect(list.isEmpty)
    }
    #expect(lines.count == 8)
    for line in lines {
      #expect(line.hasPrefix("a change of rows (ViewModelsTests/") && line.hasSuffix(") threw Failure()"), "\(line)")
    }
  }

  @Test func `in a formula makes that fail, and stays as it is`() {
    fill("a", "b")
    let left = Computed { [list] in
      list.remove("a")
      return list.count
    }
    #expect(throws: ObservableError.self) { try left.get() }
    #expect(list.keys == ["a", "b"])
    #expect(list.index(of: "b") == 1)
    #expect(list["a"] != nil)
  }

  // MARK: The cost

  @Test func `copies its order once in a transaction, however often it is changed`() throws {
    list.update((0..<1_000).map(String.init)) { _ in Numbered(0) }
    try transaction {
      let before = list.place
      list.remove("0")
      let copy = list.place
      #expect(copy != before)
      for round in 0..<500 {
        list.move("\(round * 7 % 999 + 1)", to: round)
        list.insert(Numbered(round), key: "new", at: round)
        list.remove("new")
        #expect(list.place == copy, "round \(round)")
      }
    }
  }

  @Test func `keeps its order in one place while it grows, but for a few times`() throws {
    try transaction {
      var places: Set<UnsafeRawPointer?> = []
      for number in 0..<1_000 {
        list.append(Numbered(number), key: "\(number)")
        places.insert(list.place)
      }
      #expect(places.count < 20)
    }
  }

  @Test func `has a row moved a little way in a time that does not grow with the rows`() throws {
    func cost(_ count: Int) throws -> Double {
      let list = KeyedList<Numbered>()
      list.update((0..<count).map(String.init)) { _ in Numbered(0) }
      let keys = (0..<2_000).map { "\($0 * 7 % count)" }
      _ = list.index(of: "0")
      return try transaction {
        list.move("1", to: 0)
        return cpuSeconds { for key in keys { list.move(key, to: min(count - 1, (list.index(of: key) ?? 0) + 3)) } }
      }
    }
    func least(_ count: Int) throws -> Double { try (0..<3).map { _ in try cost(count) }.min() ?? 0 }
    // 128 times as many rows fill the caches of the processor, and cost a few times as much. Rows that are looked at one
    // by one would cost a hundred times as much.
    #expect(try least(64_000) < 20 * least(500))
  }
}

private func cpuSeconds(_ body: () -> Void) -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let start = now()
  body()
  return now() - start
}
