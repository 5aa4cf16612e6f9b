// SPDX-License-Identifier: MIT

/// Facts about a node, for code outside the engine.
extension Node {
  final func has(_ flags: NodeFlags) -> Bool { state.has(flags) }

  final func set(_ flag: NodeFlags, to isSet: Bool) {
    if isSet { state.pointee.flags.insert(flag) } else { state.pointee.flags.remove(flag) }
  }

  /// Whether a ``Trace`` records the events of the node.
  final var isTraced: Bool {
    get { has(.traced) }
    set { set(.traced, to: newValue) }
  }

  /// The nodes that it depends on, in the order of reading or combining.
  final var inputs: [Node] {
    state.inputLinks.compactMap { $0.pointee.entry.node?.object.takeUnretainedValue() }
  }

  /// Whether each input of a combiner has notified since it was combined, in the order of the inputs.
  final var whetherInputsNotified: [Bool] {
    get { state.inputLinks.map(\.pointee.hasNotified) }
    set { for (link, hasNotified) in zip(state.inputLinks, newValue) { link.pointee.hasNotified = hasNotified } }
  }

  final var observerCount: Int {
    var count = 0
    var entry = state.pointee.subscribers
    while let here = entry {
      if here.pointee.role == SubscriberPlace.Role.observer { count += 1 }
      entry = here.pointee.next
    }
    return count
  }
}

extension UnsafeMutablePointer<NodeState> {
  fileprivate var inputLinks: [LinkPointer] {
    var links: [LinkPointer] = []
    var next = pointee.inputs
    while let link = next {
      links.append(link)
      next = link.pointee.nextInput
    }
    return links
  }
}
