// SPDX-License-Identifier: MIT
public import JSONPatching

/// The source of an item: content, whose changes are noticed, and closures, which are no content (S2-1).
///
/// It is a value, or an object that is changed in place. As a closure take an ``Observer``: it has one handler,
/// which gets its owner without keeping it alive (S2-2, S2-12).
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
  /// A value: the content of an object could change without being bound.
  associatedtype Content: JSONRepresentable

  /// The content of the item for an orientation of the device. Contents are equal if their JSON is equal.
  func content(in orientation: Orientation) -> Content
}

extension ItemBundle where Self: JSONRepresentable {
  /// The value itself, in every orientation.
  public func content(in orientation: Orientation) -> Self { self }
}

extension String: ItemBundle {}
extension Int: ItemBundle {}
