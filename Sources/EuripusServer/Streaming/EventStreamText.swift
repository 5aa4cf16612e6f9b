// SPDX-License-Identifier: MIT
import Sessions

/// The pieces of a stream of events (HTML Living Standard §9.2.5; PROTOCOL §5).
package enum EventStreamText {
  package static let mediaType = "text/event-stream"

  /// A comment line, which readers ignore.
  static let comment = Array(":\n\n".utf8)

  /// A frame. Our JSON has no line breaks, so it is one line.
  static func event(_ message: Message) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(message.json.count + 48)
    bytes += "id: \(message.version)\ndata: ".utf8
    bytes += message.json
    bytes += "\n\n".utf8
    return bytes
  }

  /// The time after which a reader that has lost the stream comes back.
  static func retry(after delay: Duration) -> [UInt8] {
    Array("retry: \(Int(delay / .milliseconds(1)))\n\n".utf8)
  }
}
