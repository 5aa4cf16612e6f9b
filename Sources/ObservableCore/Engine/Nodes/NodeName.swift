// SPDX-License-Identifier: MIT
import Synchronization

/// A name that is given to nodes after their making: that of their entry on a surface.
///
/// Its memory is never let go of, as a node does not keep it alive: there is one of each text, and a program has so many as it
/// says.
// @unchecked Sendable: nobody writes to the text once it is made.
package struct NodeName: @unchecked Sendable {
  private static let known = Mutex<[String: NodeName]>([:])

  let text: UnsafePointer<UInt8>

  /// O(1): a surface that is a computed property, as in a generic type, asks anew each time.
  package init(_ name: String) {
    self = Self.known.withLock { known in
      if let name = known[name] { return name }
      let made = NodeName(making: name)
      known[name] = made
      return made
    }
  }

  private init(making name: String) {
    let bytes = Array(name.utf8) + [0]
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    memory.initialize(from: bytes, count: bytes.count)
    text = UnsafePointer(memory)
  }
}
