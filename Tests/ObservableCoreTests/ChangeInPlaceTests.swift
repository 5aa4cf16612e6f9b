// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

/// A value that counts its copies. A change copies it if another holder has it too.
private struct Counted {
  private final class Storage {
    var number: Int
    init(_ number: Int) { self.number = number }
  }

  private var storage = Storage(0)
  private(set) var copies = 0
  var number: Int { storage.number }

  mutating func add(_ addend: Int) {
    if !isKnownUniquelyReferenced(&storage) {
      storage = Storage(storage.number)
      copies += 1
    }
    storage.number += addend
  }
}

@Suite struct `A change in place` {
  private let counted = Observable(Counted(), cutOff: CutOff { $0.number == $1.number })

  @Test func `copies the value once in a transaction, however often it is changed`() throws {
    try transaction { for _ in 0..<1_000 { try counted.change { $0.add(1) } } }
    #expect((counted.value.number, counted.value.copies) == (1_000, 1))
  }

  @Test func `copies the value once more if somebody keeps it`() throws {
    try transaction {
      try counted.change { $0.add(1) }
      let kept = counted.value
      try counted.change { $0.add(1) }
      try counted.change { $0.add(1) }
      #expect((kept.number, counted.value.number, counted.value.copies) == (1, 3, 2))
    }
  }

  @Test func `copies the value once while handlers make changes`() throws {
    let start = Observable(0)
    start.addObserver(Observer { [counted] count in for _ in 0..<count { try counted.change { $0.add(1) } } })
    try start.set(1_000)
    #expect((counted.value.number, counted.value.copies) == (1_000, 1))
  }

  @Test func `goes with a transaction that is undone, and the value from before is the same as ever`() throws {
    let told = Log<Counted>()
    counted.addObserver(told.observer)
    try counted.change { $0.add(5) }
    for _ in 0..<2 {
      expectUndone { for _ in 0..<10 { try counted.change { $0.add(1) } } }
      #expect((counted.value.number, counted.value.copies) == (5, 1))
    }
    #expect(told.values.map(\.number) == [5])
  }

  @Test func `that takes another one back is none`() throws {
    let told = Log<Counted>()
    counted.addObserver(told.observer)
    try transaction {
      try counted.change { $0.add(1) }
      try counted.change { $0.add(-1) }
    }
    #expect(told.values.map(\.number) == [])
    #expect(counted.value.copies == 0, "the value from before is put back, and not one that is equal")
  }
}
