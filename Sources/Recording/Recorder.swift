// SPDX-License-Identifier: MIT
package import JSONPatching
import Glibc
import Synchronization

/// What tests see of a server, written down for a referee that is not part of this package (Tests/Referee).
///
/// By default nothing is recorded. With `EURIPUS_RECORDING=DIRECTORY` every process of the tests appends to a file of its
/// own in that directory, one JSON object a line; Tests/Referee/recording.py names their members.
package struct Recorder: Sendable {
  /// The one of this process; `nil` if nothing is to be recorded.
  package static let current: Recorder? = getenv("EURIPUS_RECORDING").map { Recorder(directory: String(cString: $0)) }

  package enum Direction: String, Sendable { case sent, received }

  private static let lastNumber = Atomic<Int>(0)
  private let descriptor: Int32

  private init(directory: String) {
    let path = "\(directory)/tests-\(getpid()).jsonl"
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    // A record that nobody keeps would let the referee pass on nothing.
    if descriptor < 0 { fatalError("EURIPUS_RECORDING: cannot write \(path): \(String(cString: strerror(errno)))") }
  }

  /// A number that no other connection, session or random walk of this process has.
  package static func number() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

  /// Bytes that went over a connection.
  package func bytes(_ bytes: some Sequence<UInt8>, _ direction: Direction, on connection: Int) {
    var text = ""
    // One character a byte (ISO 8859-1), so that what is text can be read.
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    line { writer in
      writer.key("connection")
      writer.integer(connection)
      writer.key(direction.rawValue)
      writer.string(text)
    }
  }

  /// A frame or a snapshot of a session that no connection carried.
  package func message(_ json: some Sequence<UInt8>, of session: Int) {
    line { writer in
      writer.key("session")
      writer.integer(session)
      writer.key("message")
      writer.raw(json)
    }
  }

  /// A line of a log.
  package func log(_ text: String) {
    line { writer in
      writer.key("log")
      writer.string(text)
    }
  }

  /// What the reader made of a text: the value as it is written again, or `nil` where it was refused.
  package func reading(of text: some Sequence<UInt8>, _ value: JSON?) {
    var characters = ""
    for byte in text { characters.unicodeScalars.append(Unicode.Scalar(byte)) }
    line { writer in
      writer.key("text")
      writer.string(characters)
      writer.key("accepted")
      writer.bool(value != nil)
      guard let value else { return }
      writer.key("value")
      writer.json(value)
    }
  }

  private func line(_ members: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.beginObject()
    members(&writer)
    writer.endObject()
    let bytes = writer.bytes + [UInt8(ascii: "\n")]
    // One write: to a file that is appended to, lines of several threads do not mix.
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count != bytes.count { fatalError("EURIPUS_RECORDING: \(count) of \(bytes.count) bytes written") }
  }
}
