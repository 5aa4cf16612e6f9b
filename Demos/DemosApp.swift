// SPDX-License-Identifier: MIT
import ArgumentParser
import EuripusApp
import EuripusNodes
import EuripusTools

/// `euripus`: the program that hosts the demos, with the commands for who writes an app.
@main struct DemosApp: AppWithTools {
  static var tools: [any ParsableCommand.Type] { Tools.commands }

  @Option(
    help: ArgumentHelp("The directory of the recordings demo's store. (EURIPUS_RECORDINGS)", valueName: "directory"))
  var recordings = variable("EURIPUS_RECORDINGS") ?? stateDirectory("recordings")

  @Option(
    help: ArgumentHelp(
      "The directory of the login demo's users; leave it empty to log nobody in. (EURIPUS_USERS)",
      valueName: "directory"))
  var users = variable("EURIPUS_USERS") ?? stateDirectory("users")

  static var sharedStore: SharedStore? { .postgreSQL }

  var models: Models {
    all(
      recordings: RecordingStore(directory: recordings) { [logger] in logger.error("\($0)") },
      users: users.isEmpty ? nil : UserStore(directory: users) { [logger] in logger.error("\($0)") })
  }
}
