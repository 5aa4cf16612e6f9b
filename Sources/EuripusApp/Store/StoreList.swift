// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import Glibc
import JSONPatching
import Storing

/// `store list`: lists the stored sessions, with their sizes.
struct StoreList<App: EuripusApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list", abstract: "Lists the sessions in a store.",
      discussion: """
        In the order of their ids: the id, the view model, what its state and keys take, when it was last used, and by which claim \
        a server writes it (the opening of the store, and the claim since). A closed one has until when that is remembered.
        """)
  }

  @OptionGroup var place: StorePlace<App>

  @Flag(help: "One JSON array, with times in seconds since 1970.")
  var json = false

  func run() throws {
    try place.look { store throws(StoreError) in
      StandardOutput.write(json ? "[" : Self.line(["id", "model", "bytes", "last used", "claim"]))
      var last: String?
      while true {
        let sessions = try store.list(after: last, limit: 1_000)
        if json {
          // All lines but the very first begin with a comma.
          let lines = sessions.enumerated().map { (last == nil && $0.offset == 0 ? " " : ",") + Self.json($0.element) }
          if !lines.isEmpty { StandardOutput.write(lines.joined(separator: "\n")) }
        } else if !sessions.isEmpty {
          StandardOutput.write(sessions.map { Self.line(Self.columns($0)) }.joined(separator: "\n"))
        }
        guard let end = sessions.last?.id, sessions.count == 1_000 else { break }
        last = end
      }
      if json { StandardOutput.write("]") }
    }
  }

  private static func columns(_ session: StoredSummary) -> [String] {
    let used = session.lastUsed.map { time($0) } ?? session.closedUntil.map { "closed, until \(time($0))" } ?? "-"
    return [session.id, session.model, "\(session.bytes)", used, "\(session.claim)"]
  }

  /// The widths of the first columns fit ids, names and sizes.
  private static func line(_ columns: [String]) -> String {
    let widths = [22, 12, 8, 20, 0]
    return zip(columns, widths).map { text, width in
      text + String(repeating: " ", count: max(0, width - text.count))
    }.joined(separator: "  ")
  }

  private static func json(_ session: StoredSummary) -> String {
    var writer = JSONWriter(capacity: 256)
    writer.beginObject()
    writer.key("id")
    writer.string(session.id)
    writer.key("model")
    writer.string(session.model)
    for (name, number) in [
      ("bytes", Int64(session.bytes)), ("lastUsed", session.lastUsed), ("closedUntil", session.closedUntil),
    ] {
      writer.key(name)
      writer.json(number.map { .integer($0) } ?? .null)
    }
    writer.key("claim")
    writer.string("\(session.claim)")
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// A time in the form of RFC 3339, in UTC.
  private static func time(_ seconds: Int64) -> String {
    var (time, parts) = (time_t(seconds), tm())
    guard gmtime_r(&time, &parts) != nil else { return "\(seconds)" }
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
