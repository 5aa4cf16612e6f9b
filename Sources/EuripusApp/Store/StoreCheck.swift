// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import Storing

/// `store check`: reads all that is stored, and reports damage.
struct StoreCheck<App: EuripusApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "check", abstract: "Looks for damage in a session store.",
      discussion: """
        Reads all of it, page by page and session by session, and changes nothing. Exit status: 0 if it is whole, 1 if it is \
        damaged, not a store, or cannot be read because a process holds it.
        """)
  }

  @OptionGroup var place: StorePlace<App>

  func run() throws {
    let progress = Progress()
    let description = place.address.description
    let (count, findings, advice, size) = try place.look { store throws(StoreError) in
      let size = ByteCount.text(try store.size())
      progress.show("looking at \(description), \(size)")
      let findings = try store.check { progress.show("looked at \($0) sessions") }
      // If its pages are damaged, the sessions cannot be counted.
      return (try? store.count(), findings, store.adviceOnDamage, size)
    }
    progress.end()
    guard findings.isEmpty else {
      for line in Self.lines(findings, description, advice) { StandardError.write(line) }
      throw ExitCode.failure
    }
    StandardOutput.write("\(description) is whole: \(Self.text(count ?? StoreCount())); \(size)")
    if let setAside = count?.setAside, setAside > 0 {
      StandardOutput.write(
        "The sessions that were set aside could not be read when they were asked for; their rows are in a table of their own, euripus_set_aside, as they were."
      )
    }
  }

  private static func text(_ count: StoreCount) -> String {
    "sessions living \(count.living), closed \(count.closed), set aside \(count.setAside)"
  }

  private static func lines(_ findings: [String], _ description: String, _ advice: String) -> [String] {
    let most = 50
    var lines =
      ["\(ProgramName.current): the session store \(description) is damaged:"] + findings.prefix(most).map { "  \($0)" }
    if findings.count > most { lines.append("  and \(findings.count - most) more") }
    return lines + [
      "It was left as it is. \(advice). A session that cannot be read by itself is put aside when it is asked for, and the "
        + "server goes on with the others."
    ]
  }
}
