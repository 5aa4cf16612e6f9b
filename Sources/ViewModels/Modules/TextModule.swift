// SPDX-License-Identifier: MIT

/// A module that is a line of text (S2-9): `{"kind":"text","text":"…"}`.
public final class TextModule: Module {
  /// The text; another one is `text.bundle = "…"`, and a refresh of the page.
  public let text: BundleItem<String>
  public var items: [ModuleItem] { [text] }

  /// A module with this text.
  public init(_ text: String) { self.text = BundleItem(text) }

  public static let surface = Surface<TextModule>("text", .value("text", \.text.shown))
}
