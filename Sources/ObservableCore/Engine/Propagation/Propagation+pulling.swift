// SPDX-License-Identifier: MIT

extension Propagation {
  /// Brings a node up to date, after its stale inputs, and theirs. There is no recursion, so that a long chain
  /// is safe.
  ///
  /// The caller keeps the node alive. Links keep its inputs alive, and `letGo` spares them until the end.
  func pull(_ target: NodePointer) {
    let base = path.count
    var node = target
    enter(target)
    var link = firstToCheck(target)
    // The input that was just settled. It may still be stale while a body runs.
    var settled: NodePointer?
    descending: while true {
      var isOutdated = node.has(.dirty)
      let isComputed = node.has(.computed)
      while let here = link {
        // A link that was removed meanwhile, because its node was closed, leads nowhere.
        guard let input = here.pointee.entry.node else { break }
        if input.pointee.flags.intersection([.stale, .onPath]) == .stale,
          // While a body runs, combiners keep their values from before.
          phase != .collecting || input.has(.computed) && input != settled
        {
          if settleShallowly(input) { continue descending }
          path[path.count &- 1].link = here
          enter(input)
          node = input
          link = firstToCheck(input)
          continue descending
        }
        // The input is a computed that waits for this one. Reading it will show whether that is a cycle.
        if isComputed,
          input.pointee.version != here.pointee.entry.seen || input.pointee.flags.isSuperset(of: [.computed, .onPath])
        {
          isOutdated = true
          break
        }
        link = here.pointee.nextInput
      }
      if isComputed, isOutdated {
        evaluate(node)
      } else {
        node.pointee.flags.remove(.stale)
        if !isComputed, !isAborted { guarding { try runCombiner(node) } }
        node.pointee.flags.remove(.onPath)
      }
      if phase == .collecting { keepStale(node) }
      path.removeLast()
      if path.count == base { break }
      settled = node
      (node, link) = path[path.count &- 1]
    }
    if base == 0, !leavingLinks.isEmpty || !leavingObjects.isEmpty { letGo() }
  }

  /// Keeps a computed stale in a body: if a combiner above it has yet to run, it is up to date only for now.
  @inline(never)
  private func keepStale(_ node: NodePointer) {
    var link = node.pointee.inputs
    while let here = link {
      if here.input.has(.stale) {
        node.pointee.flags.insert(.stale)
        if node.has(.observed) { enqueue(node) }
        return
      }
      link = here.pointee.nextInput
    }
  }

  @inline(__always)
  func enter(_ node: NodePointer) {
    node.pointee.flags.insert(.onPath)
    path.append((node, nil))
  }

  @inline(__always)
  private func firstToCheck(_ node: NodePointer) -> LinkPointer? {
    node.has(.dirty) ? nil : node.pointee.inputs
  }

  /// Runs a combiner's handler, if the combiner was notified and its strategy asks for a run.
  private func runCombiner(_ node: NodePointer) throws {
    var wasNotified = false
    var haveAllNotified = true
    var cause: NodePointer?
    var link = node.pointee.inputs
    while let here = link {
      let version = here.input.pointee.version
      if here.pointee.entry.seen != version {
        here.pointee.entry.seen = version
        wasNotified = true
        cause = cause ?? here.input
        if !here.pointee.hasNotified, phase != .restoring {
          keepStrategy(node)
          here.pointee.hasNotified = true
        }
      }
      haveAllNotified = haveAllNotified && here.pointee.hasNotified
      link = here.pointee.nextInput
    }
    guard wasNotified, node.has(.handled), phase != .restoring else { return }
    if node.has(.afterAll), !haveAllNotified { return }
    if node.has(.firstOnly) {
      if node.has(.hasRun) { return }
      keepStrategy(node)
      node.pointee.flags.insert(.hasRun)
    }
    touch(node)
    try count(node)
    if node.has(.traced) {
      _ = try tracing(node, because: cause) { try runHandler(node) }
    } else {
      _ = try runHandler(node)
    }
  }

  /// Runs the handler. Answers whether its value is a change.
  private func runHandler(_ node: NodePointer) throws -> Bool {
    let outer = (teller, runner)
    (teller, runner) = (node, node)
    defer { (teller, runner) = outer }
    let version = node.pointee.version
    try outsideFormulas {
      _ = try node.object._withUnsafeGuaranteedRef { try $0.operate($0, .evaluate, nil) }
    }
    return node.pointee.version != version
  }

  /// Remembers how far the combiner's strategy has come, in case the transaction is undone.
  private func keepStrategy(_ node: NodePointer) {
    // A `first` that has run is at its end.
    if node.has([.keptStrategy, .hasRun]) { return }
    touch(node)
    node.pointee.flags.insert(.keptStrategy)
    var link = node.pointee.inputs
    while let here = link {
      here.pointee.hadNotified = here.pointee.hasNotified
      link = here.pointee.nextInput
    }
  }

  /// Restores the strategy's progress from before the transaction.
  func restoreStrategy(_ node: NodePointer) {
    guard node.has(.keptStrategy) else { return }
    node.pointee.flags.remove(.hasRun)
    var link = node.pointee.inputs
    while let here = link {
      here.pointee.hasNotified = here.pointee.hadNotified
      link = here.pointee.nextInput
    }
  }

  /// Counts a turn of the node: a run of its handler, or a round of telling its observers.
  ///
  /// - Throws: `unsettled` if it has had too many.
  @inline(__always)
  func count(_ node: NodePointer) throws {
    node.pointee.flags.countTurn()
    if node.pointee.flags.turns > Self.maxRounds { throw unsettled() }
  }

  @inline(never)
  private func unsettled() -> ObservableError {
    isUnsettled = true
    var cycle: [String] = []
    for index in 0..<touched.count + deliveries.count {
      let node = index < touched.count ? touched[index].node : deliveries[index - touched.count]
      if let node, node.pointee.flags.turns > Self.maxRounds / 2, !cycle.contains(node.name) { cycle.append(node.name) }
    }
    return .unsettled(cycle, rounds: Self.maxRounds)
  }
}

extension UnsafeMutablePointer<NodeState> {
  var name: String { object._withUnsafeGuaranteedRef { $0.origin.description } }
}
