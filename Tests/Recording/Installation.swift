// SPDX-License-Identifier: MIT
import EuripusTesting

/// Has the recorder see the connections of the tests' clients. Called before `main` (Tests/CAtStart).
@c(euripus_tests_at_start) public func installRecorder() {
  if let recorder = Recorder.current { TestObservation.install(recorder) }
}
