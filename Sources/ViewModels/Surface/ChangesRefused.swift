// SPDX-License-Identifier: MIT

/// The reasons for which a surface refused some of the changes of a batch; nothing of the batch was applied.
public struct ChangesRefused: Error, CustomStringConvertible {
  /// The changes that are refused, in their order.
  public let refusals: [(index: Int, error: SurfaceError)]

  public init(refusals: [(index: Int, error: SurfaceError)]) { self.refusals = refusals }

  public var description: String { refusals.map { "change \($0.index): \($0.error)" }.joined(separator: "; ") }
}
