// SPDX-License-Identifier: MIT
import Synchronization

/// A name that nodes get after they were made: the name of their entry on a surface.
///
/// Its memory is never freed, as a node does not keep it alive. There is one for each text, so a program has as
/// many as its surfaces have names.
// @unchecked Sendable: the text is never written once it is made.
package struct NodeName: @unchecked Sendable {
  private static let known = Mutex<[String: NodeName]>([:])

  let text: UnsafePointer<UInt8>

  /// Finds or makes it. O(1): a surface that is a computed property, as in a generic type, asks each time.
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
