// SPDX-License-Identifier: MIT

/// The notices to an operator about a store: that it fails and why, and that it works again.
///
/// Each kind of failure is told at most once a minute, since a disk that is nearly full may refuse every other
/// change.
struct StoreTrouble: Sendable {
  /// The time for which a kind of failure is not told again.
  static let quiet: Duration = .seconds(60)

  /// The kinds that were told since the store last worked.
  private var told: [StoreError.Kind] = []
  /// The time of the last failure; `nil` if the store has worked since.
  private(set) var failedAt: ContinuousClock.Instant?
  /// For each kind, the time until which it is not told again.
  private var quietUntil: [StoreError.Kind: ContinuousClock.Instant] = [:]

  /// - Returns: whether the failure is to be told.
  mutating func failed(_ error: StoreError, _ now: ContinuousClock.Instant) -> Bool {
    // The server itself has stopped the store.
    if error.kind == .stopped { return false }
    failedAt = now
    if told.contains(error.kind) { return false }
    if let quiet = quietUntil[error.kind], now < quiet { return false }
    told.append(error.kind)
    quietUntil[error.kind] = now + Self.quiet
    return true
  }

  /// Notes that everything that was to be committed has been committed.
  ///
  /// - Returns: whether it is to be told that the store works again.
  mutating func worked() -> Bool {
    failedAt = nil
    defer { told = [] }
    return !told.isEmpty
  }
}
