// SPDX-License-Identifier: MIT
import EuripusTesting
import Glibc
package import JSONPatching

/// A file of everything that tests see of a server, for a referee that is not part of this package
/// (Tests/Referee).
///
/// By default nothing is recorded. With `EURIPUS_RECORDING=DIRECTORY` every process of the tests appends to a
/// file of its own in that directory, one JSON object a line. Tests/Referee/recording.py names their members.
package struct Recorder: TestObserver {
  /// The recorder of this process; `nil` if nothing is to be recorded.
  package static let current: Recorder? = getenv("EURIPUS_RECORDING").map { Recorder(directory: String(cString: $0)) }

  private let descriptor: Int32

  private init(directory: String) {
    let path = "\(directory)/tests-\(getpid()).jsonl"
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    // Without the file the referee would have nothing to judge, and would pass.
    if descriptor < 0 { fatalError("EURIPUS_RECORDING: cannot write \(path): \(String(cString: strerror(errno)))") }
  }

  package func sent(_ bytes: ArraySlice<UInt8>, on connection: Int) { write(bytes, "sent", connection) }

  package func received(_ bytes: ArraySlice<UInt8>, on connection: Int) { write(bytes, "received", connection) }

  private func write(_ bytes: ArraySlice<UInt8>, _ direction: String, _ connection: Int) {
    var text = ""
    // One character a byte (ISO 8859-1), so that the texts in it can be read.
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    line { writer in
      writer.key("connection")
      writer.integer(connection)
      writer.key(direction)
      writer.string(text)
    }
  }

  package func message(_ json: [UInt8], of session: Int) {
    line { writer in
      writer.key("session")
      writer.integer(session)
      writer.key("message")
      writer.raw(json)
    }
  }

  package func log(_ text: String) {
    line { writer in
      writer.key("log")
      writer.string(text)
    }
  }

  /// A text, and the value that the reader made of it; `nil` where it was refused.
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
    // One write: in a file that is opened for appending, the lines of several threads do not mix.
    let count = Glibc.write(descriptor, bytes, bytes.count)
    if count != bytes.count { fatalError("EURIPUS_RECORDING: \(count) of \(bytes.count) bytes written") }
  }
}

/// Lets the recorder see the connections of the tests' clients. Tests/CAtStart calls it before `main`.
@c(euripus_tests_at_start) public func installRecorder() {
  if let recorder = Recorder.current { TestObservation.install(recorder) }
}
