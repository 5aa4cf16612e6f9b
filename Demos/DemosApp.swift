// SPDX-License-Identifier: MIT
import EuripusApp

/// `euripus`: the program that hosts the demos.
@main struct DemosApp: EuripusApp {
  @Option(
    help: ArgumentHelp("The directory of the recordings demo's store. (EURIPUS_RECORDINGS)", valueName: "directory"))
  var recordings = variable("EURIPUS_RECORDINGS") ?? stateDirectory("recordings")

  var models: Models {
    all(recordings: RecordingStore(directory: recordings) { [logger] in logger.error("\($0)") })
  }
}
