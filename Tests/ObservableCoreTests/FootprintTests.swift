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
    let distances = footprint.distances
    #expect(distances == [0, 1, -500, 2])
  }

  @Test func `takes no more of an object than a few lines, and no more lines than its stages have`() throws {
    var footprint = Footprint()
    try footprint.add(Self.address(64_000), bytes: 1_000_000)
    let ofOne = footprint.distances.count
    #expect(ofOne == 8)
    for number in 0..<1_000 { try footprint.add(Self.address(1_000_000 + 64 * number), bytes: 64) }
    let (isFull, count) = (footprint.isFull, footprint.distances.count)
    #expect(isFull)
    #expect(count == Footprint.Stage.allCases.count * Footprint.linesOfStage)
  }

  @Test func `leaves out what lies too far away to be told`() throws {
    var footprint = Footprint()
    try footprint.add(Self.address(64), bytes: 1)
    try footprint.add(Self.address(1 << 46), bytes: 1)
    try footprint.add(Self.address(128), bytes: 1)
    let distances = footprint.distances
    #expect(distances == [0, 1])
  }

  @Test func `asks for the lines of a stage at a time`() throws {
    var footprint = Footprint()
    for number in 0..<20 { try footprint.add(Self.address(6_400 + 64 * number), bytes: 1) }
    for stage in Footprint.Stage.allCases {
      let hasLast = try footprint.has(Self.address(6_400 + 15 * 64), in: stage)
      let hasNext = try footprint.has(Self.address(6_400 + 16 * 64), in: stage)
      #expect(hasLast == (stage == .found))
      #expect(hasNext == (stage == .entering))
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

  static func line(_ address: UnsafeRawPointer) -> Int { Int(bitPattern: address) / 64 }

  @Test func `of a graph has its nodes, who depends on them, and what their handlers hold`() throws {
    final class Word { var count = 0 }
    let graph = Graph()
    let word = Word()
    let (name, length) = graph.enter {
      let name = Observable("")
      return (
        name,
        ObservableCombiner<Int>(.every, 0).combine(name).handle {
          word.count += $0.count
          return word.count
        }
      )
    }
    var footprint = Footprint()
    // So that distances are from here.
    footprint.add(graph)
    let first = Self.line(Unmanaged.passUnretained(graph).toOpaque())
    graph.addFootprint(to: &footprint)
    let lines = footprint.distances.map { first + Int($0) }
    for node in [name, length] as [Node] {
      #expect(lines.contains(Self.line(Unmanaged.passUnretained(node).toOpaque())))
    }
    let link = UnsafeRawPointer(try #require(name.state.pointee.subscribers))
    #expect(lines.contains(Self.line(link)))
    #expect(lines.contains(Self.line(try #require(length.captured))))
  }

  @Test func `finds what an operation has captured where it lies`() throws {
    final class Marker { func see() -> Bool { false } }
    let marker = Marker()
    let node = Observable(1)
    node.operate = { _, _, _ in marker.see() }
    let captured = try #require(node.captured)
    let address = UnsafeRawPointer(Unmanaged.passUnretained(marker).toOpaque())
    // The one object itself, or a box that has it behind its own two words.
    #expect(captured == address || captured.load(fromByteOffset: 16, as: UnsafeRawPointer.self) == address)
  }

  @Test func `of a graph with many members has those that were made first`() throws {
    let graph = Graph()
    let nodes = graph.enter { (0..<1_000).map { Observable($0) } }
    #expect(graph.members(atMost: 16).map(ObjectIdentifier.init) == nodes.prefix(16).map(ObjectIdentifier.init))
    #expect(graph.members(atMost: 2_000).count == 1_000)
    #expect(Graph().members(atMost: 16).isEmpty)
  }
}
