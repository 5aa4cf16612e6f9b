// SPDX-License-Identifier: MIT

extension Propagation {
  /// Makes all dependents of the node stale, and notes which of them must be settled. It runs no user code.
  func mark(_ source: NodePointer) {
    let base = marking.count
    var entry = source.pointee.subscribers
    while true {
      while var here = entry {
        entry = here.pointee.next
        // It goes down as long as there is one way. Where there are more, they come before the rest of this
        // list.
        while here.pointee.role == SubscriberPlace.Role.dependent, let below = markStale(here.link.pointee.dependent) {
          guard let second = below.pointee.next else {
            here = below
            continue
          }
          if let entry { marking.append(entry) }
          entry = second
          here = below
        }
      }
      if marking.count == base { return }
      entry = marking.popLast()
    }
  }

  /// Makes a node stale. Answers the first of its own dependents, unless the node was stale before.
  @inline(__always)
  private func markStale(_ node: NodePointer) -> SubscriberPlacePointer? {
    let flags = node.pointee.flags
    if flags.contains(.stale) { return nil }
    node.pointee.flags.insert(.stale)
    if !flags.isDisjoint(with: [.combiner, .observed]) { enqueue(node) }
    return node.pointee.subscribers
  }

  func enqueue(_ node: NodePointer) {
    if node.has(.pending) { return }
    node.pointee.flags.insert(.pending)
    pending.append(node)
  }

  /// Marks a certain change: the node's dependents may have to run, and its observers will be told.
  func changed(_ node: NodePointer) {
    bump(node)
    if node.has(.observed) { enqueueDelivery(node) }
    mark(node)
  }

  func enqueueDelivery(_ node: NodePointer) {
    if node.has(.queued) { return }
    node.pointee.flags.insert(.queued)
    deliveries.append(node)
  }

  /// Queues a pulse of an event. An event that is sent twice is delivered twice, each time at the place of its
  /// sending.
  func enqueuePulse(_ node: NodePointer) {
    node.pointee.flags.insert(.queued)
    deliveries.append(node)
  }

  /// Gives the node its next version.
  ///
  /// Versions wrap around. A comparison for equality must not take a node that changed 2^32 times for one that
  /// did not. So half-way round, all subscribers are given another version as the one that they have seen.
  @inline(__always)
  func bump(_ node: NodePointer) {
    node.pointee.version &+= 1
    if node.pointee.version & 0x7fff_ffff == 0 { outdateAll(of: node) }
  }

  @inline(never)
  private func outdateAll(of node: NodePointer) {
    // The pulses of an event are compared by order: one that waits must not count as one that was told.
    if node.has(.event) { return }
    var entry = node.pointee.subscribers
    while let here = entry {
      entry = here.pointee.next
      here.pointee.seen = node.pointee.version &- 1
    }
  }

  /// Remembers a node's version, and that the node takes part in the transaction.
  @inline(__always)
  func touch(_ node: NodePointer) {
    if node.has(.touched) { return }
    node.pointee.flags.insert(.touched)
    touched.append((node, node.pointee.version))
  }

  /// Removes a node that ends from every list.
  func forget(_ node: NodePointer) {
    for index in 0..<touched.count where touched[index].node == node { touched[index].node = nil }
    for index in 0..<undecided.count where undecided[index].node == node { undecided[index].node = nil }
    for index in 0..<pending.count where pending[index] == node { pending[index] = nil }
    for index in 0..<deliveries.count where deliveries[index] == node { deliveries[index] = nil }
  }
}
