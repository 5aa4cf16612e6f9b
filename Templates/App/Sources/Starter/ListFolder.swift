import Euripus
import Foundation

/// A folder of lists, each in a file of its own.
struct ListFolder: Sendable {
  let path: String

  /// Writes a list into a new file, off the session's turn: a disk may be slow. Gives the name of the file.
  @concurrent func keep(_ lines: [String]) async throws -> String {
    let folder = URL(fileURLWithPath: path)
    let name = "list-\(UUID().uuidString.prefix(8)).txt"
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let text = lines.map { "\($0)\n" }.joined()
      try Data(text.utf8).write(to: folder.appendingPathComponent(name), options: .withoutOverwriting)
    } catch {
      throw NotKept()
    }
    return name
  }
}

/// The list could not be written. A person may read this.
struct NotKept: PresentableError {
  let type = "not-kept"
  let detail = "The list could not be written. Try again later."
}
