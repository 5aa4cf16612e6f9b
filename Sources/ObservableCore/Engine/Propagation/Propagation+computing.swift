// SPDX-License-Identifier: MIT

extension Propagation {
  /// Settles a plain computed whose inputs are all settled, as `pull` would with more questions. Answers
  /// whether it was such a one.
  @inline(__always)
  func settleShallowly(_ node: NodePointer) -> Bool {
    let flags = node.pointee.flags
    guard flags.intersection(.special) == [.computed, .stale], phase == .settling else { return false }
    var link = node.pointee.inputs
    while let here = link {
      if here.input.has([.stale, .onPath]) { return false }
      if here.input.pointee.version != here.pointee.entry.seen {
        node.pointee.flags = flags.symmetricDifference([.stale, .onPath])
        path.append((node, nil))
        if runFormula(node, []) { bump(node) }
        node.pointee.flags.subtract([.dirty, .onPath])
        path.removeLast()
        if path.isEmpty, !leavingLinks.isEmpty || !leavingObjects.isEmpty { letGo() }
        return true
      }
      link = here.pointee.nextInput
    }
    node.pointee.flags = flags.subtracting(.stale)
    return true
  }

  /// Runs a computed's formula, and notes its result as the transaction needs it.
  @inline(__always)
  func evaluate(_ node: NodePointer) {
    let flags = node.pointee.flags
    node.pointee.flags = flags.subtracting(.stale)
    let isPlain = flags.isDisjoint(with: [.fresh, .closed, .watched, .traced]) && phase == .settling
    let isFirst = flags.intersection([.observed, .queued]) == .observed
    let isChange = isPlain ? runFormula(node, isFirst ? .known : []) : evaluateSpecially(node, isFirst ? .known : [])
    var after = node.pointee.flags.subtracting([.dirty, .onPath])
    if isChange {
      bump(node)
      if flags.contains(.observed) {
        if !isFirst { after.insert(.changedAgain) }
        if !after.contains(.queued) {
          after.insert(.queued)
          deliveries.append(node)
        }
      }
    }
    node.pointee.flags = after
  }

  /// Runs a computed's formula, and takes the nodes that it reads as inputs. Answers whether its value is a
  /// change.
  @inline(__always)
  private func runFormula(_ node: NodePointer, _ keeping: Keeping) -> Bool {
    let outer = (reader, expectedLink, readerRun)
    reader = node
    expectedLink = node.pointee.inputs
    // All its links are of its last run, whichever thread that had: those that a run does not read are dropped.
    readerRun = expectedLink.map { $0.pointee.run &+ 1 } ?? 0
    let isChange = node.object._withUnsafeGuaranteedRef { computed in
      node.formula._withUnsafeGuaranteedRef { $0.run(computed, keeping) }
    }
    // Nodes that the formula has not read again are no inputs any more. A node that closed its graph has no
    // inputs.
    if let rest = expectedLink, !node.has(.closed) { dropInputs(of: node, from: rest) }
    (reader, expectedLink, readerRun) = outer
    return isChange
  }

  /// Runs the formula of a computed that is not plain. Answers whether its value is a change that has to be
  /// told.
  @inline(never)
  private func evaluateSpecially(_ node: NodePointer, _ keeping: Keeping) -> Bool {
    if node.has(.closed) { return false }
    let isFresh = node.has(.fresh)
    // A computed that changes in a body may change back. A watcher is told only of a value that differs at the
    // end.
    let isKeeping =
      !isFresh && !node.has(.hasBefore)
      && (phase == .collecting || phase == .settling && node.has(.watched))
    let keeping = isKeeping ? keeping.union(.before) : keeping
    var isChange =
      node.has(.traced)
      ? tracing(node, because: firstChange(among: node)) { runFormula(node, keeping) } : runFormula(node, keeping)
    // An assignment in the formula failed outside of a transaction, which would otherwise have the error.
    if let failure = formulaFailure {
      formulaFailure = nil
      isChange = node.object._withUnsafeGuaranteedRef { $0.failFormula(failure, keeping) }
    }
    guard isChange, !isFresh else { return false }
    if isKeeping {
      node.pointee.flags.insert(.hasBefore)
      touch(node)
    }
    switch phase {
    case .settling: return true
    case .collecting: postpone(node, versionBefore: node.pointee.version)
    case .idle, .restoring: break
    }
    bump(node)
    return false
  }
}
