// SPDX-License-Identifier: MIT

extension Propagation {
  /// Forgets the values from before, and tells the watchers of nodes whose values differ.
  @inline(__always)
  func commitAll() {
    while true {
      while committed < touched.count {
        if let node = touched[committed].node { commit(node) }
        committed += 1
      }
      // Releasing an old value may run a deinit of user code, whose writes belong to this transaction.
      guard pendingHead < pending.count || deliveryHead < deliveries.count else { return }
      // They may be of a node whose watchers were told for the check.
      told = 0
      settleAgain()
      if isAborted { return }
    }
  }

  @inline(__always)
  private func commit(_ node: NodePointer) {
    let flags = node.pointee.flags
    if flags.isDisjoint(with: [.hasBefore, .watched]) || flags.contains(.trivial) && !flags.contains(.watched) {
      node.pointee.flags.subtract([.touched, .hasBefore, .decidedEarly, .keptStrategy])
      return
    }
    commitSlowly(node)
  }

  @inline(never)
  private func commitSlowly(_ node: NodePointer) {
    // Its watchers may drop the node.
    node.hold()
    defer { node.release() }
    node.object._withUnsafeGuaranteedRef { node in
      let flags = node.state.pointee.flags
      if flags.isSuperset(of: [.watched, .hasBefore]), !haveBeenTold {
        node.tellWatchers(isEqual: !isNewsToWatchers(node))
      }
      node.state.pointee.flags.subtract([.touched, .hasBefore, .decidedEarly, .keptStrategy])
      _ = node.perform(.forgetBefore)
    }
  }

  /// Whether the watchers of the node that is being committed know its present value, from the check.
  private var haveBeenTold: Bool { committed < told && !hasWrittenSinceTold }

  /// Whether the watchers of the node that is being committed are told of a change. Watchers that were told for
  /// the check may have seen a value that has changed since, or was put back: they are told to look again.
  private func isNewsToWatchers(_ node: Node) -> Bool {
    node.perform(.hasChanged) || committed < told && node.state.pointee.flags.contains(.toldForCheck)
  }

  /// Puts every value back as it was, and tells no observer.
  func undoAll() {
    for index in 0..<deliveries.count {
      guard let node = deliveries[index] else { continue }
      node.pointee.flags.remove(.queued)
      node.pointee.flags.forgetTurns()
      if node.has(.computed) { node.pointee.flags.remove(.changedAgain) }
    }
    deliveries.removeAll()
    deliveryHead = 0
    for index in 0..<undecided.count { undecided[index].node?.pointee.flags.remove(.undecided) }
    undecided.removeAll()
    phase = .restoring
    policy = .finish
    isUnsettled = false
    let restored = committed..<touched.count
    for index in restored {
      guard let node = touched[index].node else { continue }
      if node.has(.hasBefore) { node.object._withUnsafeGuaranteedRef { _ = $0.perform(.restore) } }
      // A value that is put back is no change for a watcher.
      if node.has(.watched) { node.pointee.flags.remove(.hasBefore) }
      restoreStrategy(node)
      // It may have been stale while no node looked at it. Then the value that is put back is stale as well.
      if node.has(.computed), !node.has(.observed) { node.pointee.flags.insert([.dirty, .stale]) }
      takeBack(node, to: touched[index].version)
    }
    // Here the computeds run that saw an undone value. No observer is told.
    settlePending()
    catchUp(restored.compactMap { touched[$0].node })
    for subscription in joined { subscription.dispose() }
    phase = .settling
    commitAll()
  }

  /// Notes that a node has the value of `version` again: no observer has to be told, and a computed that saw
  /// another value has to run.
  func takeBack(_ node: NodePointer, to version: UInt32) {
    var entry = node.pointee.subscribers
    while let here = entry {
      entry = here.pointee.next
      if here.pointee.role == SubscriberPlace.Role.dependent, here.link.pointee.dependent.has(.computed),
        here.pointee.seen != version
      {
        here.link.pointee.dependent.pointee.flags.insert(.dirty)
      }
      here.pointee.seen = node.pointee.version
    }
    mark(node)
  }

  /// Notes after an undo that the dependents of these nodes which are told of each change have seen the last
  /// one.
  func catchUp(_ restored: [NodePointer]) {
    var nodes = restored
    var seen = Set(restored)
    while let node = nodes.popLast() {
      var entry = node.pointee.subscribers
      while let here = entry {
        entry = here.pointee.next
        let dependent = here.pointee.role == SubscriberPlace.Role.dependent ? here.link.pointee.dependent : nil
        if let dependent, dependent.has(.computed) {
          if seen.insert(dependent).inserted { nodes.append(dependent) }
        } else {
          here.pointee.seen = node.pointee.version
        }
      }
    }
  }

  @inline(__always)
  func finish() {
    touched.forEach { $0.node?.pointee.flags.forgetTurns() }
    deliveries.forEach { $0?.pointee.flags.forgetTurns() }
    // A transaction that was stopped has left nodes in these lists.
    if pendingHead < pending.count || deliveryHead < deliveries.count { finishEarly() }
    touched.removeAll()
    committed = 0
    pending.removeAll()
    pendingHead = 0
    deliveries.removeAll()
    deliveryHead = 0
    isUnsettled = false
    phase = .idle
    if hasExtras { finishExtras() }
    if !leavingLinks.isEmpty || !leavingObjects.isEmpty { letGo() }
  }

  /// Clears the marks of nodes that wait in vain to be settled or told.
  @inline(never)
  private func finishEarly() {
    pending.forEach(from: pendingHead) { $0?.pointee.flags.remove(.pending) }
    deliveries.forEach(from: deliveryHead) { $0?.pointee.flags.remove(.queued) }
  }

  /// Releases the parts that most transactions do not have.
  @inline(never)
  private func finishExtras() {
    hasExtras = false
    name = ""
    check = nil
    told = 0
    if errors.isEmpty, joined.isEmpty, undoings.isEmpty, traces.isEmpty { return }
    let ended = (errors, joined, undoings, traces)
    (errors, joined, undoings, traces) = ([], [], [], [])
    // Releasing them may run user code, whose transaction must not find them.
    for trace in ended.3 { trace.endTransaction() }
    withExtendedLifetime(ended) {}
  }

  /// Releases an object as soon as nothing is being settled.
  func letGo(of object: Unmanaged<Formula>) {
    leavingObjects.append(Unmanaged.fromOpaque(object.toOpaque()))
    letGo()
  }

  /// Keeps an object alive until nothing is being settled.
  func letGoLater(of object: AnyObject) { leavingObjects.append(Unmanaged.passRetained(object)) }

  /// Ends a transaction that was undone. Its effects outside the graph are corrected in transactions of their
  /// own.
  func finishUndone() {
    let (undoings, followUps) = (undoings, followUps)
    self.followUps = []
    finish()
    // The last one first: each finds the things that it corrects as it left them.
    for undoing in undoings.reversed() { undoing() }
    // A change outside the graph stays, and the graph follows it.
    for followUp in followUps { followUp() }
  }

  /// Makes `undoing` run after the present transaction, if that is undone.
  func onUndo(_ undoing: @escaping () -> Void) {
    if phase == .idle { return }
    undoings.append(undoing)
    hasExtras = true
  }

  /// Releases the links and objects that were removed, one after the other. If each was released within
  /// another, a long chain would overflow the stack.
  func letGo() {
    // While values are put back, writes of user code would be lost.
    guard !isLettingGo, path.isEmpty, phase != .restoring else { return }
    isLettingGo = true
    while true {
      if let link = leavingLinks.popLast() {
        // `leave` put it there.
        let input = UnsafeMutableRawPointer(link.pointee.previousInput.unsafelyUnwrapped)
          .assumingMemoryBound(to: NodeState.self)
        if spareLinks.count < 1024 { spareLinks.append(link) } else { link.deallocate() }
        input.object.release()
      } else if let object = leavingObjects.popLast() {
        object.release()
      } else {
        break
      }
    }
    isLettingGo = false
  }
}
