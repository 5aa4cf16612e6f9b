// SPDX-License-Identifier: MIT

extension Graph: HasFootprint {
  /// Adds the graph, its first members, who subscribes to them, and what their operations hold.
  package func addFootprint(to footprint: inout Footprint) {
    footprint.add(self)
    let members = firstMembers
    for member in members { footprint.add(member) }
    for case let node as Node in members { node.addSubscribers(to: &footprint) }
    for case let node as Node in members { node.addOperation(to: &footprint) }
  }
}

extension Node {
  fileprivate func addSubscribers(to footprint: inout Footprint) {
    var entry = state.pointee.subscribers
    while let here = entry, !footprint.isFull {
      if here.pointee.role == Entry.Role.dependent {
        footprint.add(here, bytes: MemoryLayout<Link>.size)
      } else {
        footprint.add(here.subscription._withUnsafeGuaranteedRef { $0 })
      }
      entry = here.pointee.next
    }
  }

  fileprivate func addOperation(to footprint: inout Footprint) {
    // A function is two words: where its code is, and the object that has what it captured.
    withUnsafeBytes(of: operate) { words in
      guard let captured = words.load(fromByteOffset: MemoryLayout<Int>.size, as: UnsafeRawPointer?.self) else {
        return
      }
      footprint.add(captured, bytes: 64)
    }
  }
}
