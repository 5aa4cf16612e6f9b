// SPDX-License-Identifier: MIT
import CRuntime

/// A weak reference that leaves its object as fast as it was.
///
/// One of Swift's own gives the object a side table, and every reference to it that is counted from then on, weak or not,
/// takes its way through that: three times as long. This one keeps the object's memory, though not the object, until it goes
/// itself (Decisions/0036).
// @unchecked Sendable: what it does to the object are atomic operations of the runtime.
@usableFromInline
package struct WeakReference: ~Copyable, @unchecked Sendable {
  private let reference: Unmanaged<AnyObject>

  @usableFromInline
  package init(_ object: AnyObject) {
    reference = .passUnretained(object)
    _ = swift_unownedRetain(reference.toOpaque())
  }

  @usableFromInline
  deinit { swift_unownedRelease(reference.toOpaque()) }

  /// The object; `nil` once its end has begun.
  @usableFromInline
  package var object: AnyObject? {
    guard let living = swift_tryRetain(reference.toOpaque()) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(living).takeRetainedValue()
  }
}
