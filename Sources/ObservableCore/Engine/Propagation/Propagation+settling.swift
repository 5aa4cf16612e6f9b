// SPDX-License-Identifier: MIT
import CRuntime

extension Propagation {
  /// Runs `body` as one transaction, or as part of the present one.
  @inlinable
  func run<Result>(_ policy: FailurePolicy, _ name: String, _ body: () throws -> Result) throws -> Result {
    guard phase == .idle else { return try body() }
    phase = .collecting
    self.policy = policy
    if !name.isEmpty { call(name) }
    let result: Result
    do { result = try body() } catch {
      undoBody()
      throw error
    }
    try settleBody()
    return result
  }

  @usableFromInline
  func call(_ name: String) {
    self.name = name
    hasExtras = true
  }

  @usableFromInline
  func undoBody() {
    undoAll()
    finishUndone()
  }

  /// Settles the writes of the body.
  @usableFromInline
  func settleBody() throws {
    if !followUps.isEmpty { runFollowUps() }
    phase = .settling
    // Written nodes come first: nothing is computed from a write that turns out to be no change.
    if decideAll(areComputed: false) { _ = decideAll(areComputed: true) }
    undecided.removeAll()
    try conclude()
  }

  /// Decides the written nodes, or the nodes computed from them. Answers whether there are any of the other
  /// kind.
  @inline(__always)
  private func decideAll(areComputed: Bool) -> Bool {
    var areThereOthers = false
    var index = 0
    while index < undecided.count {
      if let node = undecided[index].node {
        if node.has(.computed) == areComputed {
          decide(node, versionBefore: undecided[index].version)
        } else {
          areThereOthers = true
        }
      }
      index &+= 1
    }
    return areThereOthers
  }

  /// Settles a single write outside of every transaction; it is stored already.
  @usableFromInline
  func settleWrite(_ node: NodePointer) throws {
    phase = .settling
    policy = .finish
    if node.has(.traced) { traceWrite(node) }
    node.pointee.flags.insert(.hasBefore)
    touch(node)
    changed(node)
    try conclude()
  }

  /// Settles the graph, and ends the transaction.
  func conclude() throws {
    settle()
    if hasExtras { passCheck() }
    if !isAborted { commitAll() }
    guard isAborted || !errors.isEmpty else { return finish() }
    try fail()
  }

  /// Runs the transaction's check, if it has one, and if anything was written since the check last ran. By then
  /// the watchers know which values have changed, and no old value is forgotten yet.
  @inline(never)
  func passCheck() {
    guard let check, !isAborted, told == 0 || hasWrittenSinceTold else { return }
    var index = committed
    while index < touched.count {
      if let node = touched[index].node, node.pointee.flags.isSuperset(of: [.watched, .hasBefore]) {
        // A watcher that was told before may have seen a value that has been put back since.
        let wereTold = index < told && node.has(.toldForCheck)
        node.pointee.flags.remove(.toldForCheck)
        node.hold()
        let isNews = node.object._withUnsafeGuaranteedRef { $0.perform(.hasChanged) } || wereTold
        if isNews { node.pointee.flags.insert(.toldForCheck) }
        node.object._withUnsafeGuaranteedRef { $0.tellWatchers(isEqual: !isNews) }
        node.release()
      }
      index += 1
    }
    told = index
    hasWrittenSinceTold = false
    guarding { try check.checkTransaction() }
  }

  /// Ends a transaction that has errors.
  @inline(never)
  private func fail() throws {
    let errors = errors
    if isAborted {
      undoAll()
      finishUndone()
    } else {
      finish()
    }
    throw errors.count == 1 ? errors[0] : ObservableError.several(errors)
  }

  func runFollowUps() {
    let due = followUps
    followUps = []
    for followUp in due { followUp() }
  }

  @inline(__always)
  private func settle() {
    settlePending()
    while !isAborted {
      if !followUps.isEmpty {
        runFollowUps()
        settlePending()
      }
      guard deliveryHead < deliveries.count, !isAborted else { return }
      let node = deliveries[deliveryHead]
      deliveryHead += 1
      if let node {
        node.pointee.flags.remove(.queued)
        deliver(node)
      }
    }
  }

  /// Settles writes that user code makes while the transaction ends, or in one of its steps.
  @inline(never)
  func settleAgain() { settle() }

  /// Decides whether a write of the body is a change. Answers that.
  @discardableResult
  private func decide(_ node: NodePointer, versionBefore version: UInt32) -> Bool {
    guard node.has(.undecided) else { return false }
    node.pointee.flags.remove(.undecided)
    // A formula or a comparison may drop the node.
    node.hold()
    defer { node.release() }
    if node.pointee.flags.isSuperset(of: [.computed, .stale]) { pull(node) }
    if node.object._withUnsafeGuaranteedRef({ $0.perform(.hasChanged) }) || node.has(.decidedEarly) {
      if node.has(.observed) {
        if node.has(.computed) { node.object._withUnsafeGuaranteedRef { _ = $0.perform(.knowBefore) } }
        enqueueDelivery(node)
      }
      return true
    }
    takeBack(node, to: version)
    if !node.has(.computed) { putBack(node) }
    return false
  }

  /// Puts back the value from before. The written value is equal to it, and need not be the same.
  func putBack(_ node: NodePointer) {
    node.object._withUnsafeGuaranteedRef { _ = $0.perform(.restore) }
    node.pointee.flags.remove(.hasBefore)
    // This comes last: a released value may run user code, whose writes are changes of their own.
    node.object._withUnsafeGuaranteedRef { _ = $0.perform(.forgetBefore) }
  }

  /// Decides an undecided write now, so that an observer that joins does not see it as a change (S0-9). If it
  /// is a change, so is any later write, as the new observer has this value.
  func decideEarly(_ node: NodePointer) {
    guard node.has(.undecided) else { return }
    for index in 0..<undecided.count where undecided[index].node == node {
      if decide(node, versionBefore: undecided[index].version) { node.pointee.flags.insert(.decidedEarly) }
    }
  }

  /// Remembers a node whose change in the body is decided at the end of the body.
  @inline(__always)
  func postpone(_ node: NodePointer, versionBefore version: UInt32) {
    if node.has(.undecided) { return }
    node.pointee.flags.insert(.undecided)
    undecided.append((node, version))
  }

  func settlePending() {
    while pendingHead < pending.count, !isAborted {
      let entry = pending[pendingHead]
      pendingHead += 1
      guard let node = entry else { continue }
      node.pointee.flags.remove(.pending)
      guard node.has(.stale), !node.has(.onPath) else { continue }
      // User code may drop the node.
      node.hold()
      pull(node)
      node.release()
    }
    if pendingHead == pending.count {
      pending.removeAll()
      pendingHead = 0
    }
  }
}

extension UnsafeMutablePointer<NodeState> {
  /// Keeps the node alive.
  @inline(__always)
  func hold() { swift_nonatomic_retain(object.toOpaque()) }

  /// Ends a `hold()`.
  @inline(__always)
  func release() { swift_nonatomic_release(object.toOpaque()) }
}
