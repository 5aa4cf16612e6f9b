// SPDX-License-Identifier: MIT

/// A part of a page with a view model of its own. It sets itself up, so that the page's view model stays small
/// (S2-1, S2-11).
///
/// Its page forwards each of its events to all modules once, in order (S2-6, S2-7). A module that comes later
/// is told at once of the events until then. A module that leaves a visible page is told that it disappears.
///
/// ```swift
/// final class Greeting: Module {
///   let text = BundleItem("Good morning")
///   var items: [ModuleItem] { [text] }
///
///   func willAppear() { text.bundle = "Welcome back" }
///
///   static let surface = Surface<Greeting>("greeting", .value("text", \.text.shown))
/// }
/// ```
public protocol Module: ViewModel {
  /// The items that it binds from bundles, in order; by default none.
  var items: [ModuleItem] { get }

  /// The page is complete. By default this and the methods below do nothing.
  func didLoad()
  /// A view is about to show the page.
  func willAppear()
  /// A view shows the page.
  func didAppear()
  /// The view is about to hide the page.
  func willDisappear()
  /// No view shows the page any more.
  func didDisappear()
  /// A person has turned the device. The module's items are bound after this, so it may change their bundles.
  func rotated(to orientation: Orientation)
}

extension Module {
  public var items: [ModuleItem] { [] }

  public func didLoad() {}
  public func willAppear() {}
  public func didAppear() {}
  public func willDisappear() {}
  public func didDisappear() {}
  public func rotated(to orientation: Orientation) {}

  var kind: String { Self.surface.name }
}

/// A module that is an empty space of some height: `{"kind":"blank","height":80}` (S2-9).
public final class BlankModule: Module {
  /// The height, in the view's own unit: CSS pixels, or points.
  public let height: BundleItem<Int>
  public var items: [ModuleItem] { [height] }

  /// A module of this height.
  public init(height: Int) { self.height = BundleItem(height) }

  public static let surface = Surface<BlankModule>("blank", .value("height", \.height.shown))
}

/// A module that is a line of text (S2-9): `{"kind":"text","text":"…"}`.
public final class TextModule: Module {
  /// The text; another one is `text.bundle = "…"`, and a refresh of the page.
  public let text: BundleItem<String>
  public var items: [ModuleItem] { [text] }

  /// A module with this text.
  public init(_ text: String) { self.text = BundleItem(text) }

  public static let surface = Surface<TextModule>("text", .value("text", \.text.shown))
}
