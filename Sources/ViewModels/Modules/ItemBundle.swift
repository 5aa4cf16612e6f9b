// SPDX-License-Identifier: MIT
public import JSONPatching

/// The source of an item: content, by which a change is noticed, and closures, which are no content (S2-1).
///
/// A value, or an object that is changed in place. As a closure take an ``Observer``: it has one handler, which gets its
/// owner without keeping it alive (S2-2, S2-12).
///
/// ```swift
/// struct Button: ItemBundle {
///   var title: String
///   let pressed = Observer<Void>()
///
///   func content(in orientation: Orientation) -> String { title }
/// }
/// ```
public protocol ItemBundle {
  /// A value, as what an object shows could change without being bound.
  associatedtype Content: JSONRepresentable

  /// The content of the item on a device that is held so. Contents are equal if their JSON is.
  func content(in orientation: Orientation) -> Content
}

extension ItemBundle where Self: JSONRepresentable {
  /// Itself, however the device is held.
  public func content(in orientation: Orientation) -> Self { self }
}

extension String: ItemBundle {}
extension Int: ItemBundle {}
