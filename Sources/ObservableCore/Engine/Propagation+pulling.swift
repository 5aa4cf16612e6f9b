// SPDX-License-Identifier: MIT

extension Propagation {
  /// Brings a node up to date, after those of its inputs that are stale, and theirs; without recursion, so that a long
  /// chain is safe.
  ///
  /// The caller keeps the node alive; what it depends on is kept alive by links, which `letGo` spares until the end.
  func pull(_ target: NodePointer) {
    let base = path.count
    path.append((target, nil))
    target.pointee.flags.insert(.onPath)
    var node = target
    var link = firstToCheck(target)
    descending: while true {
      var isOutdated = node.has(.dirty)
      let isComputed = node.has(.computed)
      while let here = link {
        // A link that was taken out meanwhile, with its node closed, leads nowhere.
        guard let input = here.pointee.entry.node else { break }
        let flags = input.pointee.flags
        // While a body runs, combiners keep their value from before.
        if flags.contains(.stale), !flags.contains(.onPath), phase != .collecting || flags.contains(.computed) {
          path[path.count - 1].link = here
          path.append((input, nil))
          input.pointee.flags.insert(.onPath)
          node = input
          link = firstToCheck(input)
          continue descending
        }
        if isComputed, input.pointee.version != here.pointee.entry.seen {
          isOutdated = true
          break
        }
        link = here.pointee.nextInput
      }
      node.pointee.flags.remove(.stale)
      if isComputed {
        if isOutdated { evaluate(node) }
      } else if !isAborted {
        guarding { try runCombiner(node) }
      }
      node.pointee.flags.remove(.onPath)
      path.removeLast()
      if path.count == base { break }
      (node, link) = path[path.count - 1]
    }
    if base == 0 { letGo() }
  }

  @inline(__always)
  private func firstToCheck(_ node: NodePointer) -> LinkPointer? {
    node.has(.dirty) ? nil : node.pointee.inputs
  }

  /// Runs a computed's formula, and finds its inputs by what that reads.
  private func evaluate(_ node: NodePointer) {
    if node.has(.closed) { return }
    let outer = (reader, readerLink, readerRun)
    lastRun &+= 1
    (reader, readerLink, readerRun) = (node, nil, lastRun)
    formulaDepth += 1
    let isFresh = node.has(.fresh)
    // A computed that changes in a body may change back, and a watcher is told of what is different at the end alone.
    let isKeeping =
      !isFresh && !node.has(.hasBefore)
      && (phase == .collecting || phase == .settling && node.has(.watched))
    let isChange = node.object._withUnsafeGuaranteedRef { $0.perform(isKeeping ? .evaluateKeeping : .evaluate) }
    formulaDepth -= 1
    dropInputs(of: node, after: readerLink)
    (reader, readerLink, readerRun) = outer
    node.pointee.flags.remove(.dirty)
    guard isChange, !isFresh, phase != .restoring else { return }
    if phase == .idle { return bump(node) }
    if isKeeping { node.pointee.flags.insert(.hasBefore) }
    touch(node)
    if phase == .collecting {
      postpone(node, versionBefore: node.pointee.version)
    } else if node.has(.observed) {
      enqueueDelivery(node)
    }
    bump(node)
  }

  /// Runs a combiner's handler if its strategy wants it.
  private func runCombiner(_ node: NodePointer) throws {
    var wasNotified = false
    var link = node.pointee.inputs
    while let here = link {
      wasNotified = wasNotified || here.pointee.entry.seen != here.input.pointee.version
      link = here.pointee.nextInput
    }
    guard wasNotified, node.has(.handled), isWanted(node) else { return }
    touch(node)
    try count(node)
    link = node.pointee.inputs
    while let here = link {
      here.pointee.entry.seen = here.input.pointee.version
      link = here.pointee.nextInput
    }
    try outsideFormulas {
      _ = try node.object._withUnsafeGuaranteedRef { try $0.operate($0, .evaluate, nil) }
    }
  }

  /// Whether the strategy wants a combiner that was notified to run.
  private func isWanted(_ node: NodePointer) -> Bool {
    guard node.has([.firstOnly, .afterAll]) else { return true }
    let isFirstOnly = node.has(.firstOnly)
    var link = node.pointee.inputs
    while let here = link {
      // The first is over once an input was seen to differ from its base; all is not reached while one is at its base.
      if isFirstOnly ? here.pointee.entry.seen != here.pointee.base : here.input.pointee.version == here.pointee.base {
        return false
      }
      link = here.pointee.nextInput
    }
    return true
  }

  /// Counts a turn of the node: a run of its handler, or a round of telling its observers.
  ///
  /// - Throws: `unsettled` when it has had too many.
  func count(_ node: NodePointer) throws {
    node.pointee.flags.countTurn()
    guard node.pointee.flags.turns > Self.maxRounds else { return }
    isUnsettled = true
    var cycle: [String] = []
    for index in 0..<touched.count {
      if let node = touched[index].node, node.pointee.flags.turns > Self.maxRounds / 2 { cycle.append(node.name) }
    }
    throw ObservableError.unsettled(cycle, rounds: Self.maxRounds)
  }
}

extension UnsafeMutablePointer<NodeState> {
  var name: String { object._withUnsafeGuaranteedRef { $0.origin.description } }
}
