// SPDX-License-Identifier: MIT

/// The place of one observer among those of an observable.
///
/// Dropping it ends nothing, as the observable holds it (S0-8). ``dispose()`` ends it.
public class Subscription: Disposable {
  // The first field: see `entryOffset`.
  @exclusivity(unchecked) private final var entry: SubscriberPlace
  /// The observer, which the subscription keeps alive until it ends.
  @exclusivity(unchecked) @usableFromInline final private(set) var observer: Unmanaged<GraphMember>?

  /// The place of the entry in its object.
  @inlinable static var entryOffset: Int { 16 }

  init(_ observer: GraphMember?, role: Int32 = SubscriberPlace.Role.observer) {
    entry = SubscriberPlace(role: role)
    self.observer = observer.map(Unmanaged.passRetained)
    assert(withUnsafeMutablePointer(to: &entry) { $0 == place }, "entryOffset is wrong")
  }

  deinit { observer?.release() }

  final var place: SubscriberPlacePointer {
    (Unmanaged.passUnretained(self).toOpaque() + Self.entryOffset).assumingMemoryBound(to: SubscriberPlace.self)
  }

  /// Marks the node's present value as known to the observer. For that, the last write is decided now.
  final func takeAsHeard(from node: Node) {
    withPropagation { $0.decideEarly(node.state) }
    entry.seen = node.state.pointee.version
  }

  /// Gives the observer to the caller, which lets go of it.
  final func giveUpObserver() -> Unmanaged<GraphMember>? {
    defer { observer = nil }
    return observer
  }

  /// Whether the subscription has ended: by ``dispose()``, or with the observable or its graph.
  public final var isDisposed: Bool { entry.node == nil }

  /// Ends the subscription. From here on the observer is not told, not even of a value that is being told. A
  /// second call does nothing.
  public final func dispose() { withPropagation { $0.leave(place) } }

  /// Ends the subscription when `bag` goes.
  public final func disposed(by bag: DisposeBag) { bag.insert(self) }
}

/// The place of one watcher among an observable's subscribers.
final class WatcherSubscription: Subscription {
  let watcher: any Watcher

  init(_ watcher: any Watcher, tag: Int) {
    self.watcher = watcher
    super.init(nil, role: Int32(tag))
  }
}
