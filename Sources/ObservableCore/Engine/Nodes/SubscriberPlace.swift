// SPDX-License-Identifier: MIT

/// One place among a node's subscribers: the first part of a ``Link`` or of a ``Subscription``.
@usableFromInline
struct SubscriberPlace {
  enum Role { static let dependent: Int32 = -1, observer: Int32 = -2 }

  @usableFromInline var next: SubscriberPlacePointer?
  var previous: SubscriberPlacePointer?
  /// The node that is subscribed to; `nil` once the entry has been taken out.
  @usableFromInline var node: NodePointer?
  /// The version that the subscriber last took in, or found when it joined.
  @usableFromInline var seen: UInt32
  /// `Role.dependent` for a link, `Role.observer`, or a watcher's tag, which is not negative.
  var role: Int32

  init(role: Int32) {
    seen = 0
    self.role = role
  }
}

@usableFromInline typealias SubscriberPlacePointer = UnsafeMutablePointer<SubscriberPlace>

/// A dependency of one node on another: an entry among the other's subscribers, and a place among the node's inputs.
///
/// A link keeps its input alive.
@usableFromInline
struct Link {
  @usableFromInline var entry: SubscriberPlace
  let dependent: NodePointer
  @usableFromInline var nextInput: LinkPointer?
  /// The link before it; in a link that was taken out, the node that it keeps alive until `letGo`.
  var previousInput: LinkPointer?
  /// The run of the dependent computed that last read the input.
  @usableFromInline var run: UInt32 = 0
  /// Whether the input has notified since it was combined (S0-17).
  var hasNotified = false
  /// The same, before the transaction, while the dependent `keptStrategy`.
  var hadNotified = false
}

@usableFromInline typealias LinkPointer = UnsafeMutablePointer<Link>

extension UnsafeMutablePointer<SubscriberPlace> {
  /// Whether the entry is in the node's list. Compared as numbers, for which `nil` is no case of its own.
  @inlinable @inline(__always)
  func isIn(_ node: NodePointer) -> Bool { Int(bitPattern: pointee.node) == Int(bitPattern: node) }

  /// The link that this entry is the first part of.
  var link: LinkPointer { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Link.self) }

  /// The subscription that this entry is the first part of.
  @inlinable @inline(__always)
  var subscription: Unmanaged<Subscription> {
    Unmanaged.fromOpaque(UnsafeRawPointer(self) - Subscription.entryOffset)
  }
}

extension UnsafeMutablePointer<Link> {
  @inlinable @inline(__always)
  var entry: SubscriberPlacePointer { UnsafeMutableRawPointer(self).assumingMemoryBound(to: SubscriberPlace.self) }
  /// The node that the link depends on. Not to be asked of a link that has been taken out.
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

  /// Takes the entry out; its `next` stays as it is for a walk that stands on it.
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
