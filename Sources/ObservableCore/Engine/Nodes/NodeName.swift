// SPDX-License-Identifier: MIT

/// A name that is given to nodes after their making: that of their entry on a surface.
///
/// Its memory is never let go of, as a node does not keep it alive: for names that a program has so many of as it says.
// @unchecked Sendable: nobody writes to the text once it is made.
package struct NodeName: @unchecked Sendable {
  let text: UnsafePointer<UInt8>

  package init(_ name: String) {
    let bytes = Array(name.utf8) + [0]
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    memory.initialize(from: bytes, count: bytes.count)
    text = UnsafePointer(memory)
  }
}
