// SPDX-License-Identifier: MIT

/// A rectangular graph before any framework has made it: which computeds leave a source out, and which leaves are read.
public struct GraphPlan: Sendable {
  public let configuration: GraphConfiguration
  /// Whether a computed always reads all of its sources, by its layer and place.
  public let isStatic: [[Bool]]
  /// The places of the leaves that are read, in the last layer.
  public let leaves: [Int]

  public init(_ configuration: GraphConfiguration) {
    self.configuration = configuration
    var random = SeededRandom()
    isStatic = (1..<configuration.layers).map { _ in
      (0..<configuration.width).map { _ in random.next() < configuration.staticShare }
    }
    // The generator starts again for the leaves.
    random = SeededRandom()
    var leaves = Array(0..<configuration.width)
    let skipped = (Double(configuration.width) * (1 - configuration.readShare)).rounded(.toNearestOrAwayFromZero)
    for _ in 0..<Int(skipped) { leaves.remove(at: Int(random.next() * Double(leaves.count))) }
    self.leaves = leaves
  }

  /// The places in the layer above that the computed at `place` reads.
  public func sources(of place: Int) -> [Int] {
    (0..<configuration.sources).map { (place + $0) % configuration.width }
  }

  /// The position of the source that is left out, among the `count` sources after the first one; `nil` where none is.
  /// The value of the first source decides.
  @inlinable @inline(__always)
  public static func omitted(by first: Double, of count: Int) -> Int? {
    let whole = Int(first)
    return whole & 1 == 1 ? whole % count : nil
  }

  /// The sum of the leaves that are read when the signals have `values`: the graph computed plainly, layer by layer.
  public func sum(of values: [Double]) -> Double {
    var layer = values
    for row in isStatic {
      layer = row.indices.map { place in
        let read = sources(of: place).map { layer[$0] }
        let omitted = row[place] ? nil : Self.omitted(by: read[0], of: read.count - 1)
        var sum = read[0]
        for (position, value) in read.dropFirst().enumerated() where position != omitted { sum += value }
        return sum
      }
    }
    return leaves.reduce(0) { $0 + layer[$1] }
  }
}
