// SPDX-License-Identifier: MIT

extension Clock where Duration == Swift.Duration {
  /// Sleeps on the caller's actor: a command that sleeps stays in its session.
  ///
  /// It stands in for the method of the same name in Swift's library, which goes to another thread first to ask for the time:
  /// so a test that moves a clock by hand could not know whether a command sleeps already. A file that imports neither this
  /// module nor Euripus gets that one.
  nonisolated(nonsending) public func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
    try await sleep(until: now.advanced(by: duration), tolerance: tolerance)
  }
}
