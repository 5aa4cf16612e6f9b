// SPDX-License-Identifier: MIT

/// The origin of an action: the client that performs it.
public struct ActionOrigin: Sendable, Equatable {
  /// The client, as in ``SessionContext/client``. In a session of a user's own it may be another one each time.
  public let client: String
  /// The client's user; `nil` while nobody has signed in there.
  public let user: User?
  /// A key that no other action of the client has in this session: the value for another service's idempotency keys, and
  /// for a column that takes each action once.
  ///
  /// It is the key of the request, and the same when that comes again. Of several actions of one request, each but the
  /// first has its index behind that, after a space: `tab/3`, `tab/3 1`, `tab/3 2`. For a request without an
  /// Idempotency-Key the server makes one, which is another one each time that the request comes.
  public let key: String
  private let networkHash: Int?
  /// The user by whom it is decided what the client may do: in a room that takes guests, with the role of a guest.
  let actor: User?

  /// A text that is the same for all requests from one address (in version 6: from one /48). It holds for as
  /// long as the process runs. It is empty where the address is not known.
  ///
  /// It serves limits by address. It does not reveal the address, and is worth nothing to a later reader.
  public var network: String { networkHash.map { String(UInt(bitPattern: $0), radix: 36) } ?? "" }

  /// - Parameters:
  ///   - networkHash: a hash of the network, made with the process's own seed.
  ///   - actor: the user by whom it is decided what the client may do; `nil` for its own.
  package init(client: String, user: User? = nil, as actor: User? = nil, key: String, networkHash: Int? = nil) {
    (self.client, self.user, self.key, self.networkHash) = (client, user, key, networkHash)
    self.actor = actor ?? user
  }
}
