// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusNodes

/// `euripus`: the program that hosts the demos.
@main struct DemosApp: EuripusApp {
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
