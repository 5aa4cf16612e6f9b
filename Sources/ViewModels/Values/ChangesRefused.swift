// SPDX-License-Identifier: MIT

/// The reasons why a surface refused changes of a batch; no change of the batch was made.
public struct ChangesRefused: Error, CustomStringConvertible {
  /// The refused changes, in their order.
  public let refusals: [(index: Int, error: SurfaceError)]

  public init(refusals: [(index: Int, error: SurfaceError)]) { self.refusals = refusals }

  public var description: String { refusals.map { "change \($0.index): \($0.error)" }.joined(separator: "; ") }
}
