// SPDX-License-Identifier: MIT

extension Clock where Duration == Swift.Duration {
  /// Sleeps on the caller's actor: a command that sleeps stays in its session.
  ///
  /// It replaces the method of the same name in Swift's library. That one first goes to another thread to ask
  /// for the time, so a test that moves a clock by hand could not know whether a command sleeps yet. A file
  /// that imports neither this module nor Euripus gets the library's method.
  nonisolated(nonsending) public func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
    try await sleep(until: now.advanced(by: duration), tolerance: tolerance)
  }
}
