// SPDX-License-Identifier: MIT

extension Expression {
  /// The case in a framework that tracks the reads of formulas. Such a framework can express every case.
  ///
  /// Call it with concrete types, in the module that knows them: there the shapes are specialised.
  @inlinable @inline(__always)
  public static func tracking<
    Whole: TrackingFramework<Int>, List: TrackingFramework<[Int]>, Real: TrackingFramework<Double>
  >(_ which: Case, _: Whole.Type, _: List.Type, _: Real.Type) -> Expression {
    switch which {
    case .broad: .shape { Broad<Whole>() }
    case .deep: .shape { Deep<Whole>() }
    case .diamond: .shape { Diamond<Whole>() }
    case .triangle: .shape { Triangle<Whole>() }
    case .mux: .shape { Mux<Whole>(through: List.self) }
    case .avoidable: .shape { Avoidable<Whole>() }
    case .repeated: .shape { Repeated<Whole>() }
    case .unstable: .shape { Unstable<Whole>() }
    case .cellx1000: .shape { Cellx<Whole>(layers: 1000) { CellxGraph(layers: $0) } }
    case .cellx2500: .shape { Cellx<Whole>(layers: 2500) { CellxGraph(layers: $0) } }
    case .dynamic10x5, .dynamic10x10, .dynamic1000x12, .dynamic1000x5, .dynamic5x500, .dynamic100x15:
      .shape { DynamicGraph<Real>(GraphConfiguration.published(which)) }
    case .update1to1: .shape { UpdateOneToMany<Whole>(observers: 1) }
    case .update1to1000: .shape { UpdateOneToMany<Whole>(observers: 1000) }
    case .update1000to1: .shape { UpdateManyToOne<Whole>() }
    case .create: .shape { Create<Whole> { Chain($0, $1) } }
    }
  }
}
