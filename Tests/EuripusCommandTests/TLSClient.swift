// SPDX-License-Identifier: MIT
import Foundation

/// A connection to a server of this machine through TLS. The client types text into an `openssl s_client` and
/// reads its output.
final class TLSClient {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// - Parameter options: further options of `openssl s_client`.
  init(port: UInt16, options: [String] = []) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl", "s_client", "-quiet", "-connect", "127.0.0.1:\(port)"] + options
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  // SIGTERM may be blocked in the child: it inherits the mask of the thread that starts it.
  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  func send(_ request: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(request.utf8)) }

  /// The next line, without its end; `nil` at the end of the connection.
  func line() throws -> String? {
    var bytes: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
      if byte == UInt8(ascii: "\n") {
        return String(decoding: bytes.last == 13 ? bytes.dropLast() : bytes[...], as: UTF8.self)
      }
      bytes.append(byte)
    }
    return nil
  }

  /// The rest of the next line with this beginning. Lines before it are passed over.
  func line(after beginning: String) throws -> String? {
    while let line = try line() {
      if line.hasPrefix(beginning) { return String(line.dropFirst(beginning.count)) }
    }
    return nil
  }

  /// Makes a certificate for localhost and its key, `certificate.pem` and `key.pem` in a directory.
  static func makeCertificate(in directory: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
      "-subj", "/CN=localhost", "-keyout", directory + "/key.pem", "-out", directory + "/certificate.pem",
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
