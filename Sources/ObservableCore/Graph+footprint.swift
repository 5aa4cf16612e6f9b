// SPDX-License-Identifier: MIT

extension Graph: HasFootprint {
  /// Adds the graph, its first members, who subscribes to them, and what their operations hold.
  package func addFootprint(to footprint: inout Footprint) {
    footprint.add(self)
    let members = members(atMost: Footprint.linesOfStage)
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
    if let captured { footprint.add(captured, bytes: 64) }
  }

  /// Where that lies which the operation has captured. It is read where the field is: a function that is handed on is put into
  /// another form.
  var captured: UnsafeRawPointer? {
    UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
      .load(fromByteOffset: Self.operateOffset + MemoryLayout<Int>.size, as: UnsafeRawPointer?.self)
  }

  /// Behind the state and two pointers.
  private static var operateOffset: Int {
    NodePointer.offset + MemoryLayout<NodeState>.stride + 2 * MemoryLayout<Int>.size
  }
}
