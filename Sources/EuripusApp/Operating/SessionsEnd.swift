// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import JSONPatching

/// `sessions end`: ends one session; or all sessions of a user, of a client or on a view model; or all there
/// are.
struct SessionsEnd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "end", abstract: "Ends a session, all of a user, of a client or on a view model, or all.",
    discussion: """
      Does so at once and prints how many. Clients are told that an operator has ended their session; a user is signed out \
      everywhere, and of a client, or with --all of everybody, the credentials end too. A session that is at work ends when that is done.
      """)

  @OptionGroup var server: OperatedServer

  @Argument(help: "The id of the session; after '--' if it begins with a hyphen.")
  var id: String?

  @Option(help: "All sessions of this user, by its id.")
  var user: String?

  @Option(help: "All sessions on this view model.")
  var model: String?

  @Option(help: "All sessions of this client, as 'sessions list --json' has it.")
  var client: String?

  @Flag(help: "All sessions, and everybody's credentials.")
  var all = false

  @Flag(help: "One JSON object: {\"ended\":1}.")
  var json = false

  func validate() throws {
    let given = [id, user, model, client, all ? "true" : nil].compactMap(\.self)
    guard given.count == 1, given != [""] else {
      throw ValidationError(
        "expected one of: the id of a session, --user, --model, --client, --all; got \(given.count)")
    }
  }

  func run() throws {
    var count: Int64 = 1
    if let id {
      _ = try server.ask("DELETE", "/sessions/\(OperatorClient.escaped(id))")
    } else {
      let answer = try server.askForJSON(
        "DELETE", "/sessions",
        [
          ("user", user), ("model", model), ("client", client), ("all", all ? "true" : nil),
        ])
      if case .integer(let ended)? = answer["ended"] { count = ended }
    }
    StandardOutput.write(json ? "{\"ended\":\(count)}" : "\(count) session\(count == 1 ? "" : "s") ended")
  }
}
