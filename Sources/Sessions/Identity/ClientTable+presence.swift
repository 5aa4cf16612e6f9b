// SPDX-License-Identifier: MIT

/// How long clients with an identity stay known. Such a client may have no session of its own, and use those of
/// its user.
extension ClientTable {
  /// The use of an identity. All times are in seconds of the table's clock.
  struct Presence: Sendable {
    /// The last use by a request, or else the time when the identity was given or read.
    var lastUse: Int
    /// The last use that the store knows of.
    var storedUse: Int
    /// Whether a request has come since the store was last told.
    var isUsed = false
  }

  /// The time, in seconds, for which a client without a session is known after its last use. It is short if
  /// there is a store, which knows the client too.
  private var patience: Int { knowsAll ? 24 * 60 * 60 : 10 * 60 }

  /// Notes that a client was given an identity, or was read with one.
  ///
  /// - Parameter storedUse: the last use that the store knows of; `nil` if the store learns of this one.
  mutating func noteIdentified(_ owner: Credential, at second: Int, storedUse: Int? = nil) {
    if clients[owner]?.presence == nil {
      if identified.count >= mostIdentified { makeRoomForIdentified(but: owner) }
      identified.append(owner)
    }
    clients[owner, default: Client()].presence = Presence(lastUse: second, storedUse: storedUse ?? second)
  }

  /// Notes that a client with an identity has sent a request.
  mutating func noteUse(of owner: Credential, at second: Int) {
    guard let index = clients.index(forKey: owner) else { return }
    clients.values[index].presence?.lastUse = second
    clients.values[index].presence?.isUsed = true
  }

  /// Looks at some of the clients with an identity, and forgets those that have no session and were not used
  /// for long.
  ///
  /// - Parameter interval: the store is told of a use this many seconds after the last one that it knows.
  /// - Returns: the clients whose use the store is to be told of.
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

  /// The number of clients that one look takes.
  private static let sample = 16

  /// Looks at some clients, and forgets the one without a session that was not used for longest.
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
