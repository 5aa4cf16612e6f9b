// SPDX-License-Identifier: MIT

/// The credentials that have ended of late, and why: so that a request which was on its way is told what to do.
struct EndedCredentials {
  enum Reason {
    /// The client has another one.
    case replaced
    case signedOut

    var error: SessionError {
      switch self {
      case .replaced: .credentialReplaced
      case .signedOut: .signedOut
      }
    }

    /// How long it is told: a page that is asleep asks late.
    fileprivate var remembered: Duration {
      switch self {
      case .replaced: .seconds(60)
      case .signedOut: .seconds(24 * 60 * 60)
      }
    }
  }

  /// How many are remembered.
  private static let most = 10_000

  private var reasons: [Credential: (reason: Reason, until: ContinuousClock.Instant)] = [:]
  /// The oldest first.
  private var order: [Credential] = []

  subscript(credential: Credential, now: ContinuousClock.Instant) -> Reason? {
    guard let ended = reasons[credential], ended.until > now else { return nil }
    return ended.reason
  }

  mutating func add(_ credential: Credential, _ reason: Reason, now: ContinuousClock.Instant) {
    if reasons.updateValue((reason, now + reason.remembered), forKey: credential) == nil { order.append(credential) }
    if order.count <= Self.most { return }
    for old in order.prefix(Self.most / 2) { reasons[old] = nil }
    order.removeFirst(Self.most / 2)
  }
}
