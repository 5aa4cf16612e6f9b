// SPDX-License-Identifier: MIT
public import ReactiveShapes

/// The cases in Swift's Observation.
public enum ObservationCases {
  public static func expression(of which: Case) -> Expression {
    switch which {
    case .cellx1000, .cellx2500, .dynamic10x10, .dynamic1000x12, .dynamic1000x5, .dynamic5x500, .dynamic100x15:
      // A formula reads two or more nodes of the layer before, and each read runs their formulas again. So the runs
      // grow at least with 2 to the power of the layers. In 10×5 there are 16 ways from a leaf to the signals, in
      // 1000×5 already 390,625 for each of 1,000 leaves.
      .none("a computed property is not cached, so that reads grow exponentially with the layers")
    default:
      .tracking(
        which, ObservationFramework<Int>.self, ObservationFramework<[Int]>.self, ObservationFramework<Double>.self)
    }
  }
}
