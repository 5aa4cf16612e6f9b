// SPDX-License-Identifier: MIT
public import ReactiveShapes

/// The cases in OpenCombine.
public enum OpenCombineCases {
  public static func expression(of which: Case) -> Expression {
    switch which {
    case .broad: .shape { broad() }
    case .deep: .shape { deep() }
    case .diamond: .shape { diamond() }
    case .triangle: .shape { triangle() }
    case .mux: .shape { mux() }
    case .avoidable: .shape { avoidable() }
    case .repeated: .shape { repeated() }
    case .unstable: .shape { unstable() }
    case .cellx1000, .cellx2500:
      // Each layer joins two nodes of the layer before, and each join also hands on the mix of an old value and a new
      // one. For the four writes the end of 8 layers hears 178 values, and the end of 16 layers 8,362.
      .none("the intermediate values of combineLatest grow exponentially with the layers")
    case .dynamic10x5, .dynamic1000x5: .shape { rectangle(.published(which)) }
    case .dynamic5x500: .none("the intermediate values of combineLatest grow exponentially with the layers")
    case .dynamic10x10, .dynamic1000x12, .dynamic100x15: .none("a pipeline's inputs are fixed")
    case .update1to1: .shape { UpdateOneToMany<Whole>(observers: 1) }
    case .update1to1000: .shape { UpdateOneToMany<Whole>(observers: 1000) }
    case .update1000to1: .shape { updateManyToOne() }
    case .create: .shape { Create<Whole>(chain) }
    }
  }
}
