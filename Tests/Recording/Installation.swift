// SPDX-License-Identifier: MIT
import EuripusTesting

/// Has the recorder see what the tests' clients do. Called before `main` (Tests/CAtStart).
@c(euripus_tests_at_start) public func installRecorder() {
  if let recorder = Recorder.current { TestObservation.install(recorder) }
}
