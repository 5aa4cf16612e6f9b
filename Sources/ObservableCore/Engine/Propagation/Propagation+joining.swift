// SPDX-License-Identifier: MIT

extension Propagation {
  /// Puts a subscription into the node's list, which keeps it alive until it is taken out.
  func join(_ subscription: Subscription, to node: NodePointer, isWatcher: Bool = false) throws {
    if node.has(.closed) { return }
    try prepareToJoin(node)
    let entry = subscription.place
    entry.pointee.seen = node.pointee.version
    _ = Unmanaged.passRetained(subscription)
    node.append(entry)
    didJoin(node, isWatcher: isWatcher)
    if phase != .idle {
      joined.append(subscription)
      hasExtras = true
    }
  }

  /// Brings a node to the value that a new subscriber knows: it is told of another even if the others need not be.
  func prepareToJoin(_ node: NodePointer) throws {
    if node.has(.computed) { try bringUpToDate(node) }
    decideEarly(node)
    if node.pointee.flags.isSuperset(of: [.computed, .queued]) {
      node.object._withUnsafeGuaranteedRef { _ = $0.perform(.forgetKnown) }
    }
  }

  /// Takes note that somebody is to be told of the node.
  func didJoin(_ node: NodePointer, isWatcher: Bool) {
    node.pointee.flags.insert(isWatcher ? [.observed, .watched] : .observed)
    if node.has(.stale) { enqueue(node) }
  }

  /// Takes note that somebody is no longer to be told of the node: it may be nobody is.
  func didLeave(_ node: NodePointer) {
    var rest = node.pointee.subscribers
    while let here = rest, here.pointee.role == SubscriberPlace.Role.dependent { rest = here.pointee.next }
    if rest == nil, !node.object._withUnsafeGuaranteedRef({ $0.ownWatcher != nil }) {
      node.pointee.flags.subtract([.observed, .watched])
    }
  }

  /// Takes a subscription out; it is not told from here on, not even of the value in flight.
  func leave(_ entry: SubscriberPlacePointer) {
    guard let node = entry.pointee.node else { return }
    takeOut(entry, of: node)
    didLeave(node)
    // Last, as the node may go with its observer.
    letGo()
  }

  private func takeOut(_ entry: SubscriberPlacePointer, of node: NodePointer) {
    if deliveryCursor == entry { deliveryCursor = entry.pointee.next }
    node.remove(entry)
    let subscription = entry.subscription
    // An owner that keeps an ended subscription, a bag for one, keeps nothing else.
    if let observer = subscription._withUnsafeGuaranteedRef({ $0.giveUpObserver() }) {
      leavingObjects.append(Unmanaged.fromOpaque(observer.toOpaque()))
    }
    leavingObjects.append(Unmanaged.fromOpaque(subscription.toOpaque()))
  }

  /// Takes a node out of everything, because it goes or its graph was closed, and then lets go of the objects that it
  /// kept alive.
  ///
  /// - Parameter body: lets go of whatever else keeps its inputs alive, so that theirs is the last end, and not within
  ///   this one.
  func detach(_ node: NodePointer, _ body: () -> Void) {
    node.pointee.flags.insert(.closed)
    // A list keeps entries that it is done with until the transaction ends: deliveries, whose nodes have had turns, and
    // nodes that were committed.
    if node.has(.listed) || node.pointee.flags.turns > 0 || committed > 0 { forget(node) }
    node.pointee.flags.subtract([
      .stale, .pending, .queued, .undecided, .touched, .hasBefore, .decidedEarly, .keptStrategy, .observed, .watched,
    ])
    node.pointee.flags.forgetTurns()
    if let first = node.pointee.inputs { dropInputs(of: node, from: first) }
    var entry = node.pointee.subscribers
    while let here = entry {
      entry = here.pointee.next
      if here.pointee.role != SubscriberPlace.Role.dependent { takeOut(here, of: node) }
    }
    body()
    letGo()
  }
}

extension Node {
  /// Adds a subscription to those of the node.
  func join(_ subscription: Subscription, isWatcher: Bool = false) {
    withPropagation { propagation in
      propagation.guarding { try propagation.join(subscription, to: state, isWatcher: isWatcher) }
    }
  }

  /// Ends the observer's subscriptions to the node.
  func removeEntries(of observer: GraphMember) {
    withPropagation { propagation in
      let meant = Unmanaged.passUnretained(observer).toOpaque()
      // Letting go of an entry may run user code, which may end the next: that waits until the walk is over.
      let wasLettingGo = propagation.isLettingGo
      propagation.isLettingGo = true
      var entry = state.pointee.subscribers
      while let here = entry {
        entry = here.pointee.next
        guard here.pointee.role != SubscriberPlace.Role.dependent,
          here.subscription._withUnsafeGuaranteedRef({ $0.observer?.toOpaque() == meant })
        else { continue }
        propagation.leave(here)
      }
      propagation.isLettingGo = wasLettingGo
      propagation.letGo()
    }
  }
}
