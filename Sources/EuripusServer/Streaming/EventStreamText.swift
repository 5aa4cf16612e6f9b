// SPDX-License-Identifier: MIT
import Sessions

/// The pieces of an event stream, as they stand in it (HTML Living Standard §9.2.5; PROTOCOL §5).
package enum EventStreamText {
  package static let mediaType = "text/event-stream"

  /// A line that means nothing.
  static let comment = Array(":\n\n".utf8)

  /// A frame. JSON as we write it has no line break, so it is one line.
  static func event(_ message: Message) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(message.json.count + 48)
    bytes += "id: \(message.version)\ndata: ".utf8
    bytes += message.json
    bytes += "\n\n".utf8
    return bytes
  }

  /// How long to wait before coming back.
  static func retry(after delay: Duration) -> [UInt8] {
    Array("retry: \(Int(delay / .milliseconds(1)))\n\n".utf8)
  }
}
