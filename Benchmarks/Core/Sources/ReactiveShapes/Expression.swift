// SPDX-License-Identifier: MIT

/// The expression of a case in a framework.
public enum Expression {
  case possible(() throws -> AnyShape)
  /// The framework cannot express the case, for this reason.
  case none(String)

  /// A shape whose type is erased here, where it is known, so that the code within is specialised for it. `any Shape`
  /// would run the unspecialised functions of its witness table, which takes several times as long.
  @inlinable @inline(__always)
  public static func shape<Concrete: Shape>(_ make: @escaping () throws -> Concrete) -> Expression {
    .possible {
      let shape = try make()
      return AnyShape(warmUp: { try shape.warmUp() }, run: { try shape.run($0) })
    }
  }
}

/// A shape whose type is not known any more.
public struct AnyShape: Shape {
  @usableFromInline let warmingUp: () throws -> Void
  @usableFromInline let running: (_ iterations: Int) throws -> Duration

  @inlinable init(warmUp: @escaping () throws -> Void, run: @escaping (_ iterations: Int) throws -> Duration) {
    warmingUp = warmUp
    running = run
  }

  public func warmUp() throws { try warmingUp() }
  public func run(_ iterations: Int) throws -> Duration { try running(iterations) }
}
