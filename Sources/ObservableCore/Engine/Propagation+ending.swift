// SPDX-License-Identifier: MIT

extension Propagation {
  /// Forgets the values from before, and tells the watchers of those that differ.
  func commitAll() {
    while true {
      while committed < touched.count {
        if let node = touched[committed].node { commit(node) }
        committed += 1
      }
      // Letting go of an old value may run a deinit of user code, and what that wrote belongs to this transaction.
      guard pendingHead < pending.count || deliveryHead < deliveries.count else { return }
      settle()
      if isAborted { return }
    }
  }

  @inline(__always)
  private func commit(_ node: NodePointer) {
    let flags = node.pointee.flags
    if flags.isDisjoint(with: [.hasBefore, .watched]) || flags.contains(.trivial) && !flags.contains(.watched) {
      node.pointee.flags.subtract([.touched, .hasBefore, .decidedEarly, .restored])
      return
    }
    commitSlowly(node)
  }

  @inline(never)
  private func commitSlowly(_ node: NodePointer) {
    let object = node.object.retain()
    object._withUnsafeGuaranteedRef { node in
      let flags = node.state.pointee.flags
      if flags.isSuperset(of: [.watched, .hasBefore]), !flags.contains(.restored), node.perform(.hasChanged) {
        node.tellWatchers()
      }
      node.state.pointee.flags.subtract([.touched, .hasBefore, .decidedEarly, .restored])
      _ = node.perform(.forgetBefore)
    }
    object.release()
  }

  /// Puts every value back as it was, and tells nobody.
  func undoAll() {
    for index in 0..<deliveries.count { deliveries[index]?.pointee.flags.remove(.queued) }
    deliveries.removeAll()
    deliveryHead = 0
    for index in 0..<undecided.count { undecided[index].node?.pointee.flags.remove(.undecided) }
    undecided.removeAll()
    phase = .restoring
    policy = .finish
    isUnsettled = false
    let first = committed
    for index in first..<touched.count {
      guard let node = touched[index].node else { continue }
      node.pointee.version = touched[index].version
      if node.has(.hasBefore) {
        node.object._withUnsafeGuaranteedRef { _ = $0.perform(.restore) }
      } else if node.has(.computed) {
        node.pointee.flags.insert(.dirty)
      }
    }
    for index in first..<touched.count {
      guard let node = touched[index].node else { continue }
      forgetVersions(after: touched[index].version, of: node)
      mark(node)
      if node.has(.dirty), !node.has(.stale) {
        node.pointee.flags.insert(.stale)
        if node.has(.observed) { enqueue(node) }
      }
    }
    // Formulas run here, of the computeds that saw a value which is undone; nobody is told.
    settlePending()
    for subscription in joined { subscription.dispose() }
    for index in first..<touched.count {
      if let node = touched[index].node { node.pointee.flags.insert(.restored) }
    }
    phase = .settling
    commitAll()
  }

  /// Who saw a version that never came to be has seen the one before it.
  func forgetVersions(after version: UInt32, of node: NodePointer) {
    var entry = node.pointee.subscribers
    while let here = entry {
      entry = here.pointee.next
      let isUndone = Int32(bitPattern: here.pointee.seen &- version) > 0
      if isUndone { here.pointee.seen = version }
      guard here.pointee.role == Entry.Role.dependent else { continue }
      let link = here.link
      if Int32(bitPattern: link.pointee.base &- version) > 0 { link.pointee.base = version }
      if isUndone, link.pointee.dependent.has(.computed) {
        link.pointee.dependent.pointee.flags.insert(.dirty)
      }
    }
  }

  func finish() {
    for index in 0..<touched.count { touched[index].node?.pointee.flags.forgetTurns() }
    touched.removeAll()
    committed = 0
    for index in pendingHead..<pending.count { pending[index]?.pointee.flags.remove(.pending) }
    pending.removeAll()
    pendingHead = 0
    for index in deliveryHead..<deliveries.count { deliveries[index]?.pointee.flags.remove(.queued) }
    deliveries.removeAll()
    deliveryHead = 0
    if !errors.isEmpty { errors.removeAll() }
    isUnsettled = false
    phase = .idle
    if !joined.isEmpty { joined.removeAll() }
    letGo()
  }

  /// Lets go of what was taken out, one after the other: a long chain would otherwise end one within the other, and
  /// overflow the stack.
  func letGo() {
    guard !isLettingGo, path.isEmpty else { return }
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
