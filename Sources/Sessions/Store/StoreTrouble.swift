// SPDX-License-Identifier: MIT

/// An operator's notice of a store that fails: that it does and why, and that it works again.
///
/// Each kind of failure is told at most once a minute: a disk that is nearly full may refuse every other change.
struct StoreTrouble: Sendable {
  /// How long nothing more is said of a kind that was told.
  static let quiet: Duration = .seconds(60)

  /// The kinds that were told since it worked last.
  private var told: [StoreError.Kind] = []
  /// The time at which it failed last, if it has not worked since.
  private(set) var failedAt: ContinuousClock.Instant?
  /// The time until which nothing is said of each kind.
  private var quietUntil: [StoreError.Kind: ContinuousClock.Instant] = [:]

  /// - Returns: whether it is to be told.
  mutating func failed(_ error: StoreError, _ now: ContinuousClock.Instant) -> Bool {
    // The server's own doing.
    if error.kind == .stopped { return false }
    failedAt = now
    if told.contains(error.kind) { return false }
    if let quiet = quietUntil[error.kind], now < quiet { return false }
    told.append(error.kind)
    quietUntil[error.kind] = now + Self.quiet
    return true
  }

  /// Everything that was to be committed is.
  ///
  /// - Returns: whether that is to be told.
  mutating func worked() -> Bool {
    failedAt = nil
    defer { told = [] }
    return !told.isEmpty
  }
}
