// SPDX-License-Identifier: MIT

/// A module that is an empty space of some height: `{"kind":"blank","height":80}` (S2-9).
public final class BlankModule: Module {
  /// The height, in the view's own unit: CSS pixels, or points.
  public let height: BundleItem<Int>
  public var items: [ModuleItem] { [height] }

  /// A module of this height.
  public init(height: Int) { self.height = BundleItem(height) }

  public static let surface = Surface<BlankModule>("blank", .value("height", \.height.shown))
}
