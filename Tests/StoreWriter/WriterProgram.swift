// SPDX-License-Identifier: MIT
import Glibc
import SQLiteSessions
import Sessions

/// The program that a test kills, and that measures the store's costs.
@main struct WriterProgram {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch (arguments.first, arguments.dropFirst().first) {
    case ("write", let path?): try await NumberedWriter(path).run()
    case ("measure", let directory?): try Measurement(directory).run()
    default:
      print("StoreWriter write PATH | measure DIRECTORY")
      exit(64)
    }
  }
}
