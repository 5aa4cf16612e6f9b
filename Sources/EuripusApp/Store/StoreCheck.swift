// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import SQLiteSessions
import Sessions

/// `store check`: whether all that is stored can be read.
struct StoreCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Looks for damage in a session store.",
    discussion: """
      Reads all of it, page by page and session by session, and changes nothing. Exit status: 0 if it is whole, 1 if it is \
      damaged, held by nobody that lets it be read, or no store.
      """)

  @OptionGroup var place: StorePlace

  func run() throws {
    place.tellHolder()
    let progress = Progress()
    let (count, findings) = try place.use({ store throws(StoreError) in try store.inspect() }) {
      store throws(StoreError) in
      progress.show("looking at the pages of \(place.path), \(ByteCount.text(place.size))")
      let findings = try store.check { progress.show("looked at \($0) sessions") }
      // Where its pages are damaged, nothing can be counted.
      return (try? store.count(), findings)
    }
    progress.end()
    guard findings.isEmpty else {
      for line in Self.advice(findings, place.path) { StandardError.write(line) }
      throw ExitCode.failure
    }
    StandardOutput.write("\(place.path) is whole: \(Self.text(count ?? StoreCount())); \(ByteCount.text(place.size))")
    if let setAside = count?.setAside, setAside > 0 {
      StandardOutput.write(
        "What was set aside could not be read when it was asked for; its rows are in the table set_aside, as they were."
      )
    }
  }

  private static func text(_ count: StoreCount) -> String {
    "sessions living \(count.living), closed \(count.closed), set aside \(count.setAside)"
  }

  private static func advice(_ findings: [String], _ path: String) -> [String] {
    let most = 50
    var lines =
      ["\(ProgramName.current): the session store \(path) is damaged:"] + findings.prefix(most).map { "  \($0)" }
    if findings.count > most { lines.append("  and \(findings.count - most) more") }
    return lines + [
      """
      It was left as it is. Stop the server, keep a copy of \(path) and of \(path)-wal, and put back a backup; or move both away to \
      start without the sessions in it. `sqlite3 \(path) .recover` may get some back. A session that cannot be read by itself is \
      put aside when it is asked for, and the server goes on with the others.
      """
    ]
  }
}
