// SPDX-License-Identifier: MIT
import Storing

/// The credentials that ended a short time ago, with the reasons. A request that was on its way then is told
/// what to do.
struct EndedCredentials {
  enum Reason {
    /// The client has another credential.
    case replaced
    case signedOut

    var error: SessionError {
      switch self {
      case .replaced: .credentialReplaced
      case .signedOut: .signedOut
      }
    }

    /// The time for which the reason is told. A page that was asleep asks late.
    fileprivate var remembered: Duration {
      switch self {
      case .replaced: .seconds(60)
      case .signedOut: .seconds(24 * 60 * 60)
      }
    }
  }

  /// The most credentials that are remembered.
  private static let most = 10_000

  private var reasons: [Credential: (reason: Reason, until: ContinuousClock.Instant)] = [:]
  /// The credentials in the order in which they ended.
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
