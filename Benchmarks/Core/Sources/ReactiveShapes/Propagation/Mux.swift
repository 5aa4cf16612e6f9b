// SPDX-License-Identifier: MIT

/// Kairo's "mux": a hundred signals gathered in one list, and split again into a hundred observed computeds.
public struct Mux<Framework: ReactiveFramework<Int>>: IteratedShape {
  @inlinable public static var width: Int { 100 }

  @usableFromInline let heads: [Framework.Signal]
  @usableFromInline let split: [Framework.Computed]
  /// Parts that would go if nobody held them.
  @usableFromInline let kept: Any

  @inlinable public init(heads: [Framework.Signal], split: [Framework.Computed], keeping kept: Any) {
    self.heads = heads
    self.split = split
    self.kept = kept
  }

  @inlinable public func iterate() throws {
    for factor in 1...2 {
      for place in 0..<10 {
        try Framework.batch { try Framework.write(heads[place], place * factor) }
        try check("mux", Framework.read(split[place]), is: place * factor + 1)
      }
    }
  }
}

extension Mux where Framework: TrackingFramework {
  @inlinable public init<List: TrackingFramework<[Int]>>(through _: List.Type) {
    let heads = (0..<Self.width).map { _ in Framework.signal(0) }
    let list = List.computed {
      var values: [Int] = []
      values.reserveCapacity(heads.count)
      for head in heads { values.append(Framework.read(head)) }
      return values
    }
    let places = (0..<Self.width).map { place in Framework.computed { List.read(list)[place] } }
    let split = places.map { place in Framework.computed { Framework.read(place) + 1 } }
    let subscriptions = split.map { Framework.observe($0) { _ in } }
    self.init(heads: heads, split: split, keeping: (list, places, subscriptions))
  }
}
