// SPDX-License-Identifier: MIT

/// The time for which clients with an identity are known: they may have no session of their own, and use those of their
/// user.
extension ClientTable {
  /// The use of an identity. All times are seconds of the table's clock.
  struct Presence: Sendable {
    /// The last use by a request, or the moment when it was given or read.
    var lastUse: Int
    /// The last use that the store knows of.
    var storedUse: Int
    /// Whether a request has come since.
    var isUsed = false
  }

  /// How long a client without a session is known after its last use: where there is a store that knows it too, not for long.
  private var patience: Int { knowsAll ? 24 * 60 * 60 : 10 * 60 }

  /// Takes note of a client that was given an identity, or that was read with one.
  ///
  /// - Parameter storedUse: the last use that the store knows of; `nil` if it learns of this one.
  mutating func noteIdentified(_ owner: Credential, at second: Int, storedUse: Int? = nil) {
    if clients[owner]?.presence == nil {
      if identified.count >= mostIdentified { makeRoomForIdentified(but: owner) }
      identified.append(owner)
    }
    clients[owner, default: Client()].presence = Presence(lastUse: second, storedUse: storedUse ?? second)
  }

  /// Takes note that a client with an identity has come.
  mutating func noteUse(of owner: Credential, at second: Int) {
    guard let index = clients.index(forKey: owner) else { return }
    clients.values[index].presence?.lastUse = second
    clients.values[index].presence?.isUsed = true
  }

  /// Looks at some of the clients with an identity: forgets those that have no session and were not used for long.
  ///
  /// - Parameter interval: the seconds of use after which the store is to learn of it.
  /// - Returns: the clients of which it is to learn.
  mutating func lookAtIdentified(at second: Int, interval: Int) -> [Credential] {
    var used: [Credential] = []
    for _ in 0..<min(identified.count, Self.sample + identified.count / 1_024) {
      if nextLook >= identified.count { nextLook = 0 }
      let owner = identified[nextLook]
      if let presence = clients[owner]?.presence, second - presence.lastUse >= patience {
        forgetIfAway(owner, isUnused: true)
      }
      guard let presence = clients[owner]?.presence else {
        dropIdentified(at: nextLook)
        continue
      }
      nextLook += 1
      guard presence.isUsed, presence.lastUse - presence.storedUse >= interval else { continue }
      clients[owner]?.presence?.isUsed = false
      clients[owner]?.presence?.storedUse = presence.lastUse
      used.append(owner)
    }
    return used
  }

  /// How many are looked at at once.
  private static let sample = 16

  /// Forgets one of the next ones that have no session, of these the one that was not used for longest.
  private mutating func makeRoomForIdentified(but kept: Credential) {
    var oldest: (index: Int, lastUse: Int)?
    for step in 0..<min(identified.count, Self.sample) {
      let index = (nextLook + step) % identified.count
      let owner = identified[index]
      guard owner != kept else { continue }
      guard let client = clients[owner], let presence = client.presence else { return dropIdentified(at: index) }
      guard client.inMemory <= 0, client.making <= 0 else { continue }
      if oldest.map({ presence.lastUse < $0.lastUse }) ?? true { oldest = (index, presence.lastUse) }
    }
    nextLook = (nextLook + Self.sample) % max(1, identified.count)
    guard let oldest else { return }
    let owner = identified[oldest.index]
    forgetIfAway(owner, isUnused: true)
    if clients[owner] == nil { dropIdentified(at: oldest.index) }
  }

  private mutating func dropIdentified(at index: Int) {
    identified.swapAt(index, identified.count - 1)
    identified.removeLast()
  }
}
