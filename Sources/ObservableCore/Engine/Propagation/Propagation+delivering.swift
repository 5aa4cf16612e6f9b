// SPDX-License-Identifier: MIT

extension Propagation {
  /// Tells the observers that have not seen the node's version.
  func deliver(_ node: NodePointer) {
    node.hold()
    defer { node.release() }
    if node.has([.event, .traced]) {
      deliverSpecially(node)
    } else {
      deliverNews(node)
    }
  }

  @inline(never)
  private func deliverSpecially(_ node: NodePointer) {
    let isTraced = node.has(.traced)
    if isTraced {
      teller = node
      traceTelling(node)
    }
    defer { if isTraced { teller = nil } }
    guard node.has(.event) else { return deliverNews(node) }
    // Each pulse has its own entry among the deliveries.
    let object = node.object
    guard object._withUnsafeGuaranteedRef({ $0.perform(.nextPulse) }) else { return }
    tell(node) { entry in object._withUnsafeGuaranteedRef { $0.isDue(entry) } }
  }

  @inline(__always)
  private func deliverNews(_ node: NodePointer) {
    do { try count(node) } catch { return note(error) }
    if node.has(.computed), !isNews(node) { return }
    if node.has(.failed) { return deliverFailure(node) }
    tell(node) { entry in
      if entry.pointee.seen == node.pointee.version || node.has(.failed) { return false }
      entry.pointee.seen = node.pointee.version
      return true
    }
  }

  /// Whether a computed that is to be told differs from the value that its observers know. It may have moved
  /// and come back.
  @inline(__always)
  private func isNews(_ node: NodePointer) -> Bool {
    let isChangedAgain = node.has(.changedAgain)
    if !isChangedAgain, node.has(.trivial) { return true }
    return node.object._withUnsafeGuaranteedRef { computed in
      let isNews = !isChangedAgain || computed.perform(.isNews)
      node.pointee.flags.remove(.changedAgain)
      _ = computed.perform(.forgetKnown)
      if !isNews { passOver(node) }
      return isNews
    }
  }

  /// Tells the observers that are due. An observer that subscribes meanwhile has seen the present value; one
  /// that is removed is no longer in the list (S0-9).
  @inline(__always)
  private func tell(_ node: NodePointer, if isDue: (SubscriberPlacePointer) -> Bool) {
    deliveryCursor = node.pointee.subscribers
    while let entry = deliveryCursor {
      deliveryCursor = entry.pointee.next
      guard entry.pointee.role == SubscriberPlace.Role.observer, isDue(entry) else { continue }
      guarding { _ = try node.object._withUnsafeGuaranteedRef { try $0.operate($0, .tell, entry) } }
      if !followUps.isEmpty { runFollowUps() }
      // The handler's writes settle before the next observer is told (S0-10).
      if !pending.isEmpty { settlePending() }
      if isAborted { break }
    }
    deliveryCursor = nil
  }

  /// Passes the error of a computed to the caller once, in place of its observers.
  private func deliverFailure(_ node: NodePointer) {
    if passOver(node) { guarding { try node.object._withUnsafeGuaranteedRef { try $0.throwFailure() } } }
  }

  /// Marks the node's observers as told. Answers whether one of them was due.
  @discardableResult
  private func passOver(_ node: NodePointer) -> Bool {
    var wasDue = false
    var entry = node.pointee.subscribers
    while let here = entry {
      entry = here.pointee.next
      guard here.pointee.role == SubscriberPlace.Role.observer, here.pointee.seen != node.pointee.version else {
        continue
      }
      here.pointee.seen = node.pointee.version
      wasDue = true
    }
    return wasDue
  }
}

extension Node {
  /// Tells the watchers that the transaction has changed the value, or that the value has become equal to the
  /// old one again.
  func tellWatchers(isEqual: Bool = false) {
    if let watcher = ownWatcher { watcher.note(Int(ownTag), isEqual: isEqual) }
    withPropagation { propagation in
      // The engine's cursor is used, so that a watcher may end the entry that is next.
      propagation.deliveryCursor = state.pointee.subscribers
      while let entry = propagation.deliveryCursor {
        propagation.deliveryCursor = entry.pointee.next
        guard entry.pointee.role >= 0 else { continue }
        let watcher = entry.subscription._withUnsafeGuaranteedRef { subscription in
          unsafeDowncast(subscription, to: WatcherSubscription.self).watcher
        }
        watcher.note(Int(entry.pointee.role), isEqual: isEqual)
      }
    }
  }
}

extension Watcher {
  fileprivate func note(_ tag: Int, isEqual: Bool) { if isEqual { nodeIsEqual(tag) } else { nodeDidChange(tag) } }
}
