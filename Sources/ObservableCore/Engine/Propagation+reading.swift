// SPDX-License-Identifier: MIT

extension Propagation {
  /// Makes a node that the running formula is about to read up to date, and one of the formula's inputs.
  ///
  /// - Throws: `cycle` if the node is a computed that waits for this very read.
  @usableFromInline
  static func willRead(_ node: NodePointer) throws {
    try withPropagation { propagation in
      if node.has([.stale, .onPath]) { try propagation.bringUpToDate(node) }
      propagation.track(node)
    }
  }

  /// Brings a stale node that is about to be read outside every formula up to date.
  @usableFromInline
  static func refresh(_ node: NodePointer) throws {
    try withPropagation { try $0.bringUpToDate(node) }
  }

  /// After this a combiner is as the phase allows, and a computed up to date.
  func bringUpToDate(_ node: NodePointer) throws {
    let flags = node.pointee.flags
    guard flags.contains(.stale) else {
      if flags.isSuperset(of: [.computed, .onPath]) { throw cycle(through: node) }
      return
    }
    if flags.contains(.onPath) {
      // Combiners may form a cycle: the value of one that is being settled is the one it has.
      if flags.contains(.computed) { throw cycle(through: node) }
      return
    }
    if phase == .collecting, flags.contains(.combiner) { return }
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

  /// Makes the node an input of the running formula: the link of the run before is used again where the formula reads
  /// in the same order.
  @inline(__always)
  private func track(_ node: NodePointer) {
    guard let reader else { return }
    let last = readerLink
    let next: LinkPointer?
    if let last {
      if last.pointee.entry.node == node { return }
      next = last.pointee.nextInput
    } else {
      next = reader.pointee.inputs
    }
    if let next, next.pointee.entry.node == node {
      next.pointee.entry.seen = node.pointee.version
      next.pointee.run = readerRun
      readerLink = next
    } else {
      trackAnew(node, by: reader, after: last, before: next)
    }
  }

  @inline(never)
  private func trackAnew(
    _ node: NodePointer, by reader: NodePointer, after last: LinkPointer?, before next: LinkPointer?
  ) {
    // The one that joined last is most often the reader itself, reading the same again.
    if let first = node.pointee.subscribers, let newest = first.pointee.previous,
      newest.pointee.role == Entry.Role.dependent, newest.link.pointee.dependent == reader,
      newest.link.pointee.run == readerRun
    {
      return
    }
    readerLink = link(reader, to: node, after: last, before: next)
    readerLink.unsafelyUnwrapped.pointee.run = readerRun
  }

  /// Makes `input` an input of `dependent`.
  @discardableResult
  func link(
    _ dependent: NodePointer, to input: NodePointer, after last: LinkPointer?, before next: LinkPointer?
  ) -> LinkPointer {
    let link = spareLinks.popLast() ?? .allocate(capacity: 1)
    link.initialize(
      to: Link(
        entry: Entry(role: Entry.Role.dependent), dependent: dependent, nextInput: next, previousInput: last))
    link.pointee.entry.seen = input.pointee.version
    _ = input.object.retain()
    input.append(link.entry)
    // The first's previous is the last.
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

  /// Takes out the inputs that the run which ended with `last` has not read.
  func dropInputs(of node: NodePointer, after last: LinkPointer?) {
    guard var first = last == nil ? node.pointee.inputs : last?.pointee.nextInput else { return }
    if let last {
      last.pointee.nextInput = nil
      node.pointee.inputs?.pointee.previousInput = last
    } else {
      node.pointee.inputs = nil
    }
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
    // What the link kept alive, for `letGo`.
    link.pointee.previousInput = UnsafeMutableRawPointer(input).assumingMemoryBound(to: Link.self)
    leavingLinks.append(link)
  }
}
