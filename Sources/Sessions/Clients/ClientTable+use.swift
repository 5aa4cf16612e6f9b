// SPDX-License-Identifier: MIT
import Storing

/// How long clients that have signed in stay known. Such a client may have no session of its own, and use those of
/// its user.
extension ClientTable {
  /// The use of a client that has signed in. All times are in seconds of the table's clock.
  struct SignInUse: Sendable {
    /// The last use by a request, or else the time when the client signed in or was read.
    var lastUse: Int
    /// The last use that the store knows of.
    var storedUse: Int
    /// Whether a request has come since the store was last told.
    var isUsed = false
  }

  /// Notes that a client has signed in, or that one was read that has.
  ///
  /// - Parameter storedUse: the last use that the store knows of; `nil` if the store learns of this one.
  mutating func noteSignIn(_ owner: Credential, at second: Int, storedUse: Int? = nil) {
    if clients[owner]?.signInUse == nil {
      if signedIn.count >= mostSignedIn { makeRoomForSignedIn(but: owner) }
      signedIn.append(owner)
    }
    clients[owner, default: Client()].signInUse = SignInUse(lastUse: second, storedUse: storedUse ?? second)
  }

  /// Notes that a client that has signed in has sent a request.
  mutating func noteUse(of owner: Credential, at second: Int) {
    guard let index = clients.index(forKey: owner) else { return }
    clients.values[index].signInUse?.lastUse = second
    clients.values[index].signInUse?.isUsed = true
  }

  /// Looks at some of the clients that have signed in, and forgets those that have no session and were not used
  /// for long.
  ///
  /// - Parameter interval: the store is told of a use this many seconds after the last one that it knows.
  /// - Returns: the clients whose use the store is to be told of.
  mutating func lookAtSignedIn(at second: Int, interval: Int) -> [Credential] {
    var used: [Credential] = []
    for _ in 0..<min(signedIn.count, Self.sample + signedIn.count / 1_024) {
      if nextLook >= signedIn.count { nextLook = 0 }
      let owner = signedIn[nextLook]
      if let signInUse = clients[owner]?.signInUse, second - signInUse.lastUse >= awayTime {
        forgetIfAway(owner, isUnused: true)
      }
      guard let signInUse = clients[owner]?.signInUse else {
        dropSignedIn(at: nextLook)
        continue
      }
      nextLook += 1
      guard signInUse.isUsed, signInUse.lastUse - signInUse.storedUse >= interval else { continue }
      clients[owner]?.signInUse?.isUsed = false
      clients[owner]?.signInUse?.storedUse = signInUse.lastUse
      used.append(owner)
    }
    return used
  }

  /// The number of clients that one look takes.
  private static let sample = 16

  /// Looks at some clients, and forgets the one without a session that was not used for longest.
  private mutating func makeRoomForSignedIn(but kept: Credential) {
    var oldest: (index: Int, lastUse: Int)?
    for step in 0..<min(signedIn.count, Self.sample) {
      let index = (nextLook + step) % signedIn.count
      let owner = signedIn[index]
      guard owner != kept else { continue }
      guard let client = clients[owner], let signInUse = client.signInUse else { return dropSignedIn(at: index) }
      guard client.inMemory <= 0, client.making <= 0 else { continue }
      if oldest.map({ signInUse.lastUse < $0.lastUse }) ?? true { oldest = (index, signInUse.lastUse) }
    }
    nextLook = (nextLook + Self.sample) % max(1, signedIn.count)
    guard let oldest else { return }
    let owner = signedIn[oldest.index]
    forgetIfAway(owner, isUnused: true)
    if clients[owner] == nil { dropSignedIn(at: oldest.index) }
  }

  private mutating func dropSignedIn(at index: Int) {
    signedIn.swapAt(index, signedIn.count - 1)
    signedIn.removeLast()
  }
}
