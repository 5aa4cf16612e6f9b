// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus

/// `sessions drain`: makes the server open no more sessions.
struct SessionsDrain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drain", abstract: "Has a running server open no more sessions.",
    discussion: """
      Its /readyz says so from then on, and streams end; all else goes on. There is no way back but to start the server again.
      """)

  @OptionGroup var server: OperatedServer

  @Flag(help: "One JSON object: {\"draining\":true}.")
  var json = false

  func run() throws {
    _ = try server.ask("POST", "/drain")
    StandardOutput.write(json ? #"{"draining":true}"# : "the server opens no more sessions")
  }
}
