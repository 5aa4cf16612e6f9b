// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import JSONPatching

/// `sessions list`: lists the sessions of a running server.
struct SessionsList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the sessions of a running server.",
    discussion: """
      In the order of their ids: the id, the view model, the user who has signed in, for how long nobody has used it, what it \
      takes, how many readers wait in it, whether it is in memory or in the store alone, and the beginning of its parameters.
      """)

  @OptionGroup var server: OperatedServer

  @Option(help: "Those on this view model.")
  var model: String?

  @Option(help: "Those of this user, by its id.")
  var user: String?

  @Option(help: "Those of this client, as --json has it.")
  var client: String?

  @Option(help: ArgumentHelp("Those that nobody has used for so long.", valueName: "seconds"))
  var olderThan: UInt32?

  @Flag(help: "One JSON array, with ages in seconds and sizes in bytes.")
  var json = false

  func run() throws {
    var (after, isFirst) = (nil as String?, true)
    repeat {
      let page = try server.askForJSON(
        "GET", "/sessions",
        [
          ("model", model), ("user", user), ("client", client), ("olderThan", olderThan.map { "\($0)" }),
          ("after", after),
        ])
      guard case .array(let sessions)? = page["sessions"] else { break }
      if after == nil, !json { StandardOutput.write(SessionRow.line(SessionRow.titles)) }
      for session in sessions {
        if json {
          // All lines but the very first begin with a comma.
          StandardOutput.write("\(isFirst ? "[" : ",")\(session)")
        } else if let row = SessionRow(session) {
          StandardOutput.write(row.line)
        }
        isFirst = false
      }
      after = if case .string(let next)? = page["next"] { next } else { nil }
    } while after != nil
    if json { StandardOutput.write(isFirst ? "[]" : "]") }
  }
}
