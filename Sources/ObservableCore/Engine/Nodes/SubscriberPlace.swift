// SPDX-License-Identifier: MIT

/// A place among a node's subscribers: the first part of a ``Link`` or of a ``Subscription``.
@usableFromInline
struct SubscriberPlace {
  enum Role { static let dependent: Int32 = -1, observer: Int32 = -2 }

  @usableFromInline var next: SubscriberPlacePointer?
  var previous: SubscriberPlacePointer?
  /// The node that has the subscriber; `nil` once the entry has been removed.
  @usableFromInline var node: NodePointer?
  /// The version that the subscriber last saw, or found when it joined.
  @usableFromInline var seen: UInt32
  /// `Role.dependent` for a link, `Role.observer` for a subscription, or a watcher's tag, which is not
  /// negative.
  var role: Int32

  init(role: Int32) {
    seen = 0
    self.role = role
  }
}

@usableFromInline typealias SubscriberPlacePointer = UnsafeMutablePointer<SubscriberPlace>

/// A dependency of one node on another: an entry among the other's subscribers, and a place among the node's
/// inputs.
///
/// A link keeps its input alive.
@usableFromInline
struct Link {
  @usableFromInline var entry: SubscriberPlace
  let dependent: NodePointer
  @usableFromInline var nextInput: LinkPointer?
  /// The link before it. In a link that was removed, the node that it keeps alive until `letGo`.
  var previousInput: LinkPointer?
  /// The run of the dependent computed that last read the input.
  @usableFromInline var run: UInt32 = 0
  /// Whether the input has notified since it was combined (S0-17).
  var hasNotified = false
  /// The value of `hasNotified` before the transaction, while the dependent has `keptStrategy`.
  var hadNotified = false
}

@usableFromInline typealias LinkPointer = UnsafeMutablePointer<Link>

extension UnsafeMutablePointer<SubscriberPlace> {
  /// Whether the entry is in the node's list. They are compared as numbers, where `nil` is no special case.
  @inlinable @inline(__always)
  func isIn(_ node: NodePointer) -> Bool { Int(bitPattern: pointee.node) == Int(bitPattern: node) }

  /// The link whose first part this entry is.
  var link: LinkPointer { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Link.self) }

  /// The subscription whose first part this entry is.
  @inlinable @inline(__always)
  var subscription: Unmanaged<Subscription> {
    Unmanaged.fromOpaque(UnsafeRawPointer(self) - Subscription.entryOffset)
  }
}

extension UnsafeMutablePointer<Link> {
  @inlinable @inline(__always)
  var entry: SubscriberPlacePointer { UnsafeMutableRawPointer(self).assumingMemoryBound(to: SubscriberPlace.self) }
  /// The node on which the link depends. Do not ask a link that has been removed.
  var input: NodePointer { pointee.entry.node.unsafelyUnwrapped }
}

extension UnsafeMutablePointer<NodeState> {
  func append(_ entry: SubscriberPlacePointer) {
    entry.pointee.node = self
    entry.pointee.next = nil
    if let first = pointee.subscribers {
      let last = first.pointee.previous
      entry.pointee.previous = last
      last?.pointee.next = entry
      first.pointee.previous = entry
    } else {
      entry.pointee.previous = entry
      pointee.subscribers = entry
    }
  }

  /// Removes the entry. Its `next` stays, for a walk that stands on it.
  func remove(_ entry: SubscriberPlacePointer) {
    let next = entry.pointee.next
    if pointee.subscribers == entry {
      pointee.subscribers = next
      next?.pointee.previous = entry.pointee.previous
    } else {
      entry.pointee.previous?.pointee.next = next
      if let next {
        next.pointee.previous = entry.pointee.previous
      } else {
        pointee.subscribers?.pointee.previous = entry.pointee.previous
      }
    }
    entry.pointee.node = nil
  }
}
