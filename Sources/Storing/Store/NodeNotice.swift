// SPDX-License-Identifier: MIT

/// A message from one node to all others: something that they may have in memory has changed.
///
/// It is a hint to look into the store. Whoever may connect to the database can send one, so nothing ends by a notice
/// alone.
package enum NodeNotice: Sendable, Hashable {
  /// The store has another credential or user for this client, or none any more. The second is the owner of its user's own
  /// sessions; `nil` where it has no user.
  case client(Credential, ofUser: Credential?)
  /// A credential belongs to no client any more. The receiver may not know the client, so a client that comes
  /// with the credential is told why.
  case ended(Credential, isSignedOut: Bool)
  /// All clients have been signed out.
  case allClients
  /// The server that has this session is to end it: the store has the reason.
  case end(String)
  /// Another server has taken over a session, by this claim.
  case taken(String, SessionClaim)
  /// A session has told a topic, at the server that has this boot.
  case topic(String, by: String, at: UInt64)
  /// Some notices may not have arrived.
  case missed

  /// The text of the notice in the store; `nil` for a notice that is never sent.
  package var text: String? {
    switch self {
    case .client(let owner, let user): "client \(owner.hex)\(user.map { " " + $0.hex } ?? "")"
    case .ended(let credential, let isSignedOut):
      "ended \(credential.hex) \(isSignedOut ? "signed-out" : "replaced")"
    case .allClients: "clients"
    case .end(let id): "end \(id)"
    case .taken(let id, let claim): "taken \(id) \(claim)"
    case .topic(let topic, let session, let boot): "topic \(boot) \(session) \(topic)"
    case .missed: nil
    }
  }

  /// Reads the form of ``text``; `nil` for any other text, such as one of a later version.
  package init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    switch (parts.first, parts.count) {
    case ("topic", 4...):
      guard let boot = UInt64(parts[1]) else { return nil }
      // The name may have spaces.
      self = .topic(parts[3...].joined(separator: " "), by: String(parts[2]), at: boot)
    case ("client", 2...3):
      let named = parts.dropFirst().compactMap(Self.credential)
      guard named.count == parts.count - 1 else { return nil }
      self = .client(named[0], ofUser: named.dropFirst().first)
    case ("ended", 3):
      guard let credential = Self.credential(parts[1]) else { return nil }
      self = .ended(credential, isSignedOut: parts[2] == "signed-out")
    case ("clients", 1): self = .allClients
    case ("taken", 3):
      guard let claim = SessionClaim(parts[2]) else { return nil }
      self = .taken(String(parts[1]), claim)
    case ("end", 2): self = .end(String(parts[1]))
    default: return nil
    }
  }

  private static func credential(_ hex: Substring) -> Credential? {
    guard hex.utf8.count.isMultiple(of: 2), hex.allSatisfy(\.isHexDigit) else { return nil }
    let digits = hex.compactMap { $0.hexDigitValue }
    return Credential(bytes: stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }
}
