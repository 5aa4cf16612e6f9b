// SPDX-License-Identifier: MIT
import JSONPatching

/// The results of actions, for the frame that answers them.
struct ActionResults {
  struct Part {
    /// The action's path; `nil` for a change that has no result.
    let path: [String]?
    /// The run that the action is itself, while that is not over; it may have started others.
    var run: UInt64?
    /// The JSON of the result.
    var result = Self.none

    static let none = Array("null".utf8)
  }

  /// Whether the frame has a list of them.
  let isList: Bool
  var parts: [Part]

  func write(to writer: inout JSONWriter) {
    guard isList else {
      writer.key("result")
      return writer.raw(parts.first?.result ?? Part.none)
    }
    writer.key("results")
    writer.beginArray()
    for part in parts { writer.raw(part.result) }
    writer.endArray()
  }
}
