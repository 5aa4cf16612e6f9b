// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import JSONPatching

/// `sessions show`: prints one session, and the state that its client sees.
struct SessionsShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Looks into a session, without using it.",
    discussion: """
      Shows what 'list' does, the clients that follow it, each with its user, the guests of a room with their roles, and what \
      its client sees of it: its version and its state, which has no secret in it. Of one that is in the store alone it shows \
      the values that it is stored as, and leaves it there.
      """)

  @OptionGroup var server: OperatedServer

  @Argument(help: "The id of the session; after '--' if it begins with a hyphen.")
  var id: String

  @Flag(help: "One JSON object.")
  var json = false

  func run() throws {
    let look = try server.askForJSON("GET", "/sessions/\(OperatorClient.escaped(id))")
    if json { return StandardOutput.write("\(look)") }
    guard let row = look["session"].flatMap({ SessionRow($0) }) else { return }
    for (title, text) in zip(SessionRow.titles, row.columns) where !text.isEmpty {
      StandardOutput.write(title + String(repeating: " ", count: 9 - title.count) + text)
    }
    for follower in Self.followers(look) {
      StandardOutput.write("follower " + follower)
    }
    for guest in Self.guests(look) { StandardOutput.write("guest    " + guest) }
    for name in ["snapshot", "values"] {
      if let shown = look[name], shown != .null { StandardOutput.write(shown.indented) }
    }
  }

  /// A line for each guest of a room: its name, and its role.
  static func guests(_ look: JSON) -> [String] {
    guard case .array(let guests)? = look["guests"] else { return [] }
    return guests.compactMap { guest in
      guard case .string(let client)? = guest["client"] else { return nil }
      guard case .string(let role)? = guest["role"] else { return client }
      return "\(client) as \(SessionRow.printable(role))"
    }
  }

  /// A line for each client that follows the session: its name, and its user.
  static func followers(_ look: JSON) -> [String] {
    guard case .array(let followers)? = look["followers"] else { return [] }
    return followers.compactMap { follower in
      guard case .string(let client)? = follower["client"] else { return nil }
      guard case .string(let user)? = follower["user"] else { return client }
      return "\(client) of \(SessionRow.printable(user))"
    }
  }
}
