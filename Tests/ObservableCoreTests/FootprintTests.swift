// SPDX-License-Identifier: MIT
import Testing

@testable import ObservableCore

@Suite struct `A footprint` {
  /// An address as one of memory that need not be there.
  static func address(_ number: Int) throws -> UnsafeRawPointer { try #require(UnsafeRawPointer(bitPattern: number)) }

  @Test func `has each line once, in the order of adding`() throws {
    var footprint = Footprint()
    try footprint.add(Self.address(64_000), bytes: 100)
    try footprint.add(Self.address(64_063), bytes: 2)
    try footprint.add(Self.address(32_000), bytes: 1)
    try footprint.add(Self.address(64_128), bytes: 64)
    #expect(footprint.distances == [0, 1, -500, 2])
  }

  @Test func `takes no more of an object than a few lines, and no more lines than its stages have`() throws {
    var footprint = Footprint()
    try footprint.add(Self.address(64_000), bytes: 1_000_000)
    #expect(footprint.distances.count == 8)
    for number in 0..<1_000 { try footprint.add(Self.address(1_000_000 + 64 * number), bytes: 64) }
    #expect(footprint.isFull)
    #expect(footprint.distances.count == Footprint.Stage.allCases.count * Footprint.linesOfStage)
  }

  @Test func `leaves out what lies too far away to be told`() throws {
    var footprint = Footprint()
    try footprint.add(Self.address(64), bytes: 1)
    try footprint.add(Self.address(1 << 46), bytes: 1)
    try footprint.add(Self.address(128), bytes: 1)
    #expect(footprint.distances == [0, 1])
  }

  @Test func `asks for the lines of a stage at a time`() throws {
    var footprint = Footprint()
    for number in 0..<20 { try footprint.add(Self.address(6_400 + 64 * number), bytes: 1) }
    for stage in Footprint.Stage.allCases {
      #expect(try footprint.has(Self.address(6_400 + 15 * 64), in: stage) == (stage == .found))
      #expect(try footprint.has(Self.address(6_400 + 16 * 64), in: stage) == (stage == .entering))
    }
  }

  @Test func `may ask for what is no memory, or not any more`() throws {
    var footprint = Footprint()
    try footprint.add(Self.address(1), bytes: 64)
    for number in 0..<63 { try footprint.add(Self.address(0x7000_0000 + number << 20), bytes: 1) }
    do {
      let graph = Graph()
      let model = graph.enter { Observable(1) }
      graph.addFootprint(to: &footprint)
      _ = model
    }
    for stage in Footprint.Stage.allCases { footprint.prefetch(stage) }
    Footprint().prefetch(.found)
  }

  @Test func `of a graph has its nodes before who depends on them, and the nodes that were made first`() throws {
    let graph = Graph()
    let (name, length) = graph.enter {
      let name = Observable("")
      return (name, ObservableCombiner<Int>(.every, 0).combine(name).handle { $0.count })
    }
    let others = graph.enter { (0..<1_000).map { Observable($0) } }
    var footprint = Footprint()
    graph.addFootprint(to: &footprint)
    #expect(footprint.isFull)
    for node in [name, length] as [Node] {
      #expect(footprint.has(UnsafeRawPointer(Unmanaged.passUnretained(node).toOpaque()), in: .found))
    }
    _ = others

    let small = Graph()
    let one = small.enter { Observable(0) }
    let two = small.enter { ObservableCombiner<Int>(.every, 0).combine(one).handle { $0 } }
    var its = Footprint()
    small.addFootprint(to: &its)
    let link = UnsafeRawPointer(try #require(one.state.pointee.subscribers))
    #expect(Footprint.Stage.allCases.contains { its.has(link, in: $0) })
    _ = two
  }
}
