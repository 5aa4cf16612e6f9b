// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus

/// `sessions pardon`: has the server do again what it refuses since servers died over it.
struct SessionsPardon: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pardon", abstract: "Lifts all refusals with '500 poisoned' of a running server.",
    discussion: """
      For a mistake that is mended, and for deaths that were somebody else's doing. The supervisor forgets all deaths, so what \
      ends the server again is refused again after as many.
      """)

  @OptionGroup var server: OperatedServer

  @Flag(help: "One JSON object: {\"pardoned\":true}.")
  var json = false

  func run() throws {
    _ = try server.ask("POST", "/pardon")
    StandardOutput.write(json ? #"{"pardoned":true}"# : "the server refuses nothing any more because of a death")
  }
}
