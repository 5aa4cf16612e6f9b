// SPDX-License-Identifier: MIT
import EuripusTesting

/// Lets the recorder see the connections of the tests' clients. Tests/CAtStart calls it before `main`.
@c(euripus_tests_at_start) public func installRecorder() {
  if let recorder = Recorder.current { TestObservation.install(recorder) }
}
