// SPDX-License-Identifier: MIT

extension Propagation {
  /// Prepares the reading of a node's value: brings the node up to date, and makes it an input of the running
  /// formula, if there is one.
  ///
  /// - Throws: `cycle` if the node is a computed that waits for this very read.
  @inlinable @inline(__always)
  static func willRead(_ node: NodePointer) throws {
    try withPropagation { propagation in
      if !propagation.isReady(node) { try propagation.prepare(node) }
    }
  }

  /// The same for a caller that cannot throw: an error ends the process.
  @inlinable @inline(__always)
  static func willReadOrTrap(_ node: NodePointer) {
    withPropagation { propagation in
      if !propagation.isReady(node) { propagation.prepareOrTrap(node) }
    }
  }

  /// Whether a read needs no preparation: there is no reader and the node is not stale, or the reader reads the
  /// same node as in the run before.
  @inlinable @inline(__always)
  func isReady(_ node: NodePointer) -> Bool {
    guard let link = expectedLink else { return reader == nil && !node.has(.stale) }
    guard link.entry.isIn(node), !node.has([.stale, .onPath]) else { return false }
    link.pointee.entry.seen = node.pointee.version
    link.pointee.run = readerRun
    expectedLink = link.pointee.nextInput
    return true
  }

  @usableFromInline
  func prepare(_ node: NodePointer) throws {
    guard node.has([.stale, .onPath]) else { return track(node) }
    if !(settleShallowly(node) && isReady(node)) { try prepareDeeply(node) }
  }

  @usableFromInline
  func prepareOrTrap(_ node: NodePointer) {
    guard node.has([.stale, .onPath]) else { return track(node) }
    if !(settleShallowly(node) && isReady(node)) { prepareDeeplyOrTrap(node) }
  }

  @inline(never)
  private func prepareDeeplyOrTrap(_ node: NodePointer) {
    do { try prepareDeeply(node) } catch { node.object._withUnsafeGuaranteedRef { $0.cannotThrow(error) } }
  }

  @inline(never)
  private func prepareDeeply(_ node: NodePointer) throws {
    if node.has([.stale, .onPath]) {
      if phase == .settling, node.pointee.flags.intersection([.computed, .stale, .onPath]) == [.computed, .stale] {
        pull(node)
      }
      if node.has([.stale, .onPath]) { try bringUpToDate(node) }
    }
    if reader != nil, !isReady(node) { track(node) }
  }

  /// Brings a node up to date. Afterwards a combiner is as the phase allows, and a computed is up to date.
  func bringUpToDate(_ node: NodePointer) throws {
    let flags = node.pointee.flags
    guard flags.contains(.stale) else {
      if flags.isSuperset(of: [.computed, .onPath]) { throw cycle(through: node) }
      return
    }
    if flags.contains(.onPath) {
      // Combiners may form a cycle. A combiner that is being settled has its present value.
      if flags.contains(.computed) { throw cycle(through: node) }
      return
    }
    if phase == .collecting, flags.contains(.combiner) { return }
    // In a body it may stay stale, if a combiner above it has yet to run.
    if phase == .collecting { return pull(node) }
    var rounds = 0
    while node.has(.stale), !isAborted {
      pull(node)
      rounds += 1
      if rounds > Self.maxRounds {
        isUnsettled = phase != .idle
        throw ObservableError.unsettled([node.name], rounds: Self.maxRounds)
      }
    }
  }

  private func cycle(through node: NodePointer) -> ObservableError {
    var names: [String] = []
    for index in 0..<path.count where path[index].node == node || !names.isEmpty { names.append(path[index].node.name) }
    return .cycle(names)
  }

  /// Makes a node an input of the running formula, which read another one at this place in the run before.
  @inline(never)
  private func track(_ node: NodePointer) {
    // The formula, or one that it read, has closed its graph: its links are removed, and the expected one with
    // them.
    guard let reader, !reader.has(.closed) else { return }
    let last = reader.lastInput(before: expectedLink)
    if let last, last.entry.isIn(node) { return }
    // The newest subscriber is most often the reader itself, if it reads the same node again.
    if let first = node.pointee.subscribers, let newest = first.pointee.previous,
      newest.pointee.role == SubscriberPlace.Role.dependent, newest.link.pointee.dependent == reader,
      newest.link.pointee.run == readerRun
    {
      return
    }
    link(reader, to: node, after: last, before: expectedLink).pointee.run = readerRun
  }

  /// Makes `input` an input of `dependent`.
  @discardableResult
  func link(
    _ dependent: NodePointer, to input: NodePointer, after last: LinkPointer?, before next: LinkPointer?
  ) -> LinkPointer {
    let link = spareLinks.popLast() ?? .allocate(capacity: 1)
    link.initialize(
      to: Link(
        entry: SubscriberPlace(role: SubscriberPlace.Role.dependent), dependent: dependent, nextInput: next,
        previousInput: last))
    link.pointee.entry.seen = input.pointee.version
    _ = input.object.retain()
    input.append(link.entry)
    // The `previousInput` of the first link is the last link.
    if let last { last.pointee.nextInput = link } else { dependent.pointee.inputs = link }
    if let next {
      if last == nil { link.pointee.previousInput = next.pointee.previousInput }
      next.pointee.previousInput = link
    } else if last == nil {
      link.pointee.previousInput = link
    } else {
      dependent.pointee.inputs?.pointee.previousInput = link
    }
    return link
  }

  /// Removes the node's inputs from `first` on.
  func dropInputs(of node: NodePointer, from first: LinkPointer) {
    if let last = node.lastInput(before: first) {
      last.pointee.nextInput = nil
      node.pointee.inputs?.pointee.previousInput = last
    } else {
      node.pointee.inputs = nil
    }
    var first = first
    while true {
      let next = first.pointee.nextInput
      leave(first)
      guard let next else { return }
      first = next
    }
  }

  private func leave(_ link: LinkPointer) {
    let input = link.input
    input.remove(link.entry)
    if deliveryCursor == link.entry { deliveryCursor = link.pointee.entry.next }
    link.pointee.nextInput = nil
    // `letGo` finds the node here that the link kept alive.
    link.pointee.previousInput = UnsafeMutableRawPointer(input).assumingMemoryBound(to: Link.self)
    leavingLinks.append(link)
  }
}

extension UnsafeMutablePointer<NodeState> {
  /// The input before `next`, which is an input too; the last input if `next` is `nil`.
  func lastInput(before next: LinkPointer?) -> LinkPointer? {
    guard let first = pointee.inputs, first != next else { return nil }
    // The `previousInput` of the first link is the last link.
    return (next ?? first).pointee.previousInput
  }
}
