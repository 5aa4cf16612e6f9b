// SPDX-License-Identifier: MIT

extension Propagation {
  /// Adds a subscription to the node's list, which keeps it alive until it is removed.
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

  /// Brings a node to the value that a new subscriber knows. The subscriber is told of a later value, even if
  /// the others need not be.
  func prepareToJoin(_ node: NodePointer) throws {
    if node.has(.computed) { try bringUpToDate(node) }
    decideEarly(node)
    if node.pointee.flags.isSuperset(of: [.computed, .queued]) {
      node.object._withUnsafeGuaranteedRef { _ = $0.perform(.forgetKnown) }
    }
  }

  /// Notes that the node has a new observer or watcher.
  func didJoin(_ node: NodePointer, isWatcher: Bool) {
    node.pointee.flags.insert(isWatcher ? [.observed, .watched] : .observed)
    if node.has(.stale) { enqueue(node) }
  }

  /// Notes that an observer or watcher has left the node, and whether any is left.
  func didLeave(_ node: NodePointer) {
    var rest = node.pointee.subscribers
    while let here = rest, here.pointee.role == SubscriberPlace.Role.dependent { rest = here.pointee.next }
    if rest == nil, !node.object._withUnsafeGuaranteedRef({ $0.ownWatcher != nil }) {
      node.pointee.flags.subtract([.observed, .watched])
    }
  }

  /// Removes a subscription. From here on it is not told, not even of a value that is being told.
  func leave(_ entry: SubscriberPlacePointer) {
    guard let node = entry.pointee.node else { return }
    takeOut(entry, of: node)
    didLeave(node)
    // This comes last, as the node may go with its observer.
    letGo()
  }

  private func takeOut(_ entry: SubscriberPlacePointer, of node: NodePointer) {
    if deliveryCursor == entry { deliveryCursor = entry.pointee.next }
    node.remove(entry)
    let subscription = entry.subscription
    // The holder of an ended subscription, such as a bag, keeps no observer alive by it.
    if let observer = subscription._withUnsafeGuaranteedRef({ $0.giveUpObserver() }) {
      leavingObjects.append(Unmanaged.fromOpaque(observer.toOpaque()))
    }
    leavingObjects.append(Unmanaged.fromOpaque(subscription.toOpaque()))
  }

  /// Removes a node from all lists, because it ends or its graph was closed. Then it releases the objects that
  /// the node kept alive.
  ///
  /// - Parameter body: drops all other references that keep the node's inputs alive. So the inputs end last,
  ///   and not within this node's end.
  func detach(_ node: NodePointer, _ body: () -> Void) {
    node.pointee.flags.insert(.closed)
    // Some lists keep finished entries until the transaction ends: deliveries whose nodes have had turns, and
    // committed nodes.
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
  /// Adds a subscription to the node.
  func join(_ subscription: Subscription, isWatcher: Bool = false) {
    withPropagation { propagation in
      propagation.guarding { try propagation.join(subscription, to: state, isWatcher: isWatcher) }
    }
  }

  /// Ends the observer's subscriptions to the node.
  func removeEntries(of observer: GraphMember) {
    withPropagation { propagation in
      let meant = Unmanaged.passUnretained(observer).toOpaque()
      // Releasing an entry may run user code that ends the next entry. So releases wait until the walk is over.
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
