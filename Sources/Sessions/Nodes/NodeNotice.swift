// SPDX-License-Identifier: MIT

/// The word of one node to all others: something that they may have in memory has become another.
package enum NodeNotice: Sendable, Equatable {
  /// A client has another credential or user, or none, as the store has it.
  case client(Credential)
  /// A credential is no client's any more, of whom a server may have heard of nothing: a client that comes with it is
  /// told why.
  case ended(Credential, isSignedOut: Bool)
  /// All clients have been signed out.
  case allClients
  /// The server that has this session is to end it.
  case end(String, Closing)
  /// The server of this opening has taken a session over.
  case taken(String, boot: UInt64)
  /// Some notices may not have arrived.
  case missed

  /// The notice as it goes through the store; `nil` for one that is never sent.
  package var text: String? {
    switch self {
    case .client(let owner): "client \(Self.hex(owner.bytes))"
    case .ended(let credential, let isSignedOut):
      "ended \(Self.hex(credential.bytes)) \(isSignedOut ? "signed-out" : "replaced")"
    case .allClients: "clients"
    case .end(let id, let closing): "end \(id) \(Self.hex(closing.bytes ?? []))"
    case .taken(let id, let boot): "taken \(id) \(boot)"
    case .missed: nil
    }
  }

  /// Reads the form of ``text``; `nil` for any other text, as from a later version.
  package init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    switch (parts.first, parts.count) {
    case ("client", 2):
      guard let owner = Self.bytes(parts[1]).flatMap({ Credential(bytes: $0) }) else { return nil }
      self = .client(owner)
    case ("ended", 3):
      guard let credential = Self.bytes(parts[1]).flatMap({ Credential(bytes: $0) }) else { return nil }
      self = .ended(credential, isSignedOut: parts[2] == "signed-out")
    case ("clients", 1): self = .allClients
    case ("taken", 3):
      guard let boot = UInt64(parts[2]) else { return nil }
      self = .taken(String(parts[1]), boot: boot)
    case ("end", 3):
      guard let bytes = Self.bytes(parts[2]), let closing = Closing(bytes: bytes.isEmpty ? nil : bytes) else {
        return nil
      }
      self = .end(String(parts[1]), closing)
    default: return nil
    }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func bytes(_ hex: Substring) -> [UInt8]? {
    guard hex.utf8.count.isMultiple(of: 2), hex.allSatisfy(\.isHexDigit) else { return nil }
    let digits = hex.compactMap { $0.hexDigitValue }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
