// SPDX-License-Identifier: MIT

extension Propagation {
  /// Forgets the values from before, and tells the watchers of those that differ.
  @inline(__always)
  func commitAll() {
    while true {
      while committed < touched.count {
        if let node = touched[committed].node { commit(node) }
        committed += 1
      }
      // Letting go of an old value may run a deinit of user code, and its writes belong to this transaction.
      guard pendingHead < pending.count || deliveryHead < deliveries.count else { return }
      // It may be of a node whose watchers were told for the check.
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
    // Its watchers may drop it.
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

  /// Whether the watchers of the node that is committed were told its present value for the check.
  private var haveBeenTold: Bool { committed < told && !hasWrittenSinceTold }

  /// Whether the watchers of the node that is committed are told of a change. Those that were told for the check may
  /// have looked at a value which has changed since, or was put back: they look again.
  private func isNewsToWatchers(_ node: Node) -> Bool {
    node.perform(.hasChanged) || committed < told && node.state.pointee.flags.contains(.toldForCheck)
  }

  /// Puts every value back as it was, and tells nobody.
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
      // A value that is put back is no change to a watcher.
      if node.has(.watched) { node.pointee.flags.remove(.hasBefore) }
      restoreStrategy(node)
      // It may have been behind, with nobody to see it: then the value that is put back is behind as well.
      if node.has(.computed), !node.has(.observed) { node.pointee.flags.insert([.dirty, .stale]) }
      takeBack(node, to: touched[index].version)
    }
    // Formulas run here, of the computeds that saw a value which is undone; nobody is told.
    settlePending()
    catchUp(restored.compactMap { touched[$0].node })
    for subscription in joined { subscription.dispose() }
    phase = .settling
    commitAll()
  }

  /// A node's value is again what it was at `version`: nobody has to be told, and a computed that saw another has to run.
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

  /// Notes after an undo that these nodes' dependents, if they are told of each change, have seen the last one.
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
    // A transaction that was stopped has left some behind.
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

  /// Takes out of their lists the nodes and subscriptions that wait in vain to be settled or told.
  @inline(never)
  private func finishEarly() {
    pending.forEach(from: pendingHead) { $0?.pointee.flags.remove(.pending) }
    deliveries.forEach(from: deliveryHead) { $0?.pointee.flags.remove(.queued) }
  }

  /// Lets go of the parts that most transactions do not have.
  @inline(never)
  private func finishExtras() {
    hasExtras = false
    name = ""
    check = nil
    told = 0
    if errors.isEmpty, joined.isEmpty, undoings.isEmpty, traces.isEmpty { return }
    let ended = (errors, joined, undoings, traces)
    (errors, joined, undoings, traces) = ([], [], [], [])
    // Letting go of them may run user code, which must not find them in a transaction of its own.
    for trace in ended.3 { trace.endTransaction() }
    withExtendedLifetime(ended) {}
  }

  /// Lets go of an object when nothing is being settled.
  func letGo(of object: Unmanaged<Formula>) {
    leavingObjects.append(Unmanaged.fromOpaque(object.toOpaque()))
    letGo()
  }

  /// Keeps an object until nothing is being settled.
  func letGoLater(of object: AnyObject) { leavingObjects.append(Unmanaged.passRetained(object)) }

  /// Ends a transaction that was undone; its effects outside the graph are put right in transactions of their own.
  func finishUndone() {
    let (undoings, followUps) = (undoings, followUps)
    self.followUps = []
    finish()
    // The last first: each finds the things that it put right as it left them.
    for undoing in undoings.reversed() { undoing() }
    // A change outside the graph stays, and is followed.
    for followUp in followUps { followUp() }
  }

  /// Has `undoing` run after the open transaction, if that is undone.
  func onUndo(_ undoing: @escaping () -> Void) {
    if phase == .idle { return }
    undoings.append(undoing)
    hasExtras = true
  }

  /// Lets go of the links and objects that were taken out, one after the other: a long chain would otherwise end one
  /// within the other, and overflow the stack.
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
