// SPDX-License-Identifier: MIT
import HTTPListening
import Storing
import ViewModels

/// The sender of a request. ``Callers`` makes it, once for each handling of a request, and it is valid as long as the request.
struct Caller {
  /// The address in numbers that a trusted proxy named (PROTOCOL §7); `nil` if none did.
  let forwardedAddress: String?
  private let request: HTTPRequest
  /// Whether the caller speaks TLS, with this server or with a proxy before it.
  let isSecure: Bool
  /// The name by which the caller calls the server, perhaps with a port.
  let host: String
  /// Whether another server of the same store has sent the request, for one of its own clients.
  let isPassedOn: Bool
  /// The client of another server's session that follows a room here; `nil` for all other callers.
  var visitor: RoomVisitor?
  /// Whether the request was handled before as often as it may be, so that nothing more is fetched for it.
  let hasFetched: Bool
  /// The user that the request proves: first the one whom a proxy names, and for routes that ask for it the app's.
  var user: ProvedUser
  /// The key of the caller's client, for routes that ask for it; `nil` if it has none that counts.
  var key: ClientKey?

  /// The part of a caller that a route asks for, besides where the request comes from.
  enum Need {
    case nothing
    /// The client, whose key has to go with the user that the request proves.
    case client
    /// The client of an opening. One whose key does not count begins anew.
    case opener
    /// The client as far as there is one. A route of the app may have credentials of its own, of any form.
    case anyone
  }

  init(_ request: HTTPRequest, _ client: Forwarding.Client, host: String, isPassedOn: Bool, hasFetched: Bool) {
    self.request = request
    (forwardedAddress, isSecure, self.host) = (client.address, client.isSecure, host)
    (self.isPassedOn, self.hasFetched, user) = (isPassedOn, hasFetched, .notAsked)
  }

  /// The address in numbers, for limits and logs: the one that a trusted proxy named, or else that of the connection's peer.
  /// Computed at each call.
  var address: String { forwardedAddress ?? request.peerAddress }

  /// The network of the address. Computed at each call.
  var network: ClientNetwork { ClientNetwork(IPAddress(address)) }

  /// The cookie in which a browser keeps its key on this way. Computed at each call.
  var cookie: KeyCookie { KeyCookie(isSecure: isSecure, host: host) }
}

/// The user that a request proves, by a proxy or by the app.
enum ProvedUser: Sendable {
  /// Neither a proxy nor the app names users. Only view models sign users in.
  case notAsked
  case nobody
  case user(User)

  var user: User? { if case .user(let user) = self { user } else { nil } }
}

extension ClientNetwork {
  /// The network of an address: the address itself for version 4, and the first 48 bits for version 6. As a
  /// rule, one customer gets no more than that (RFC 6177).
  init(_ address: IPAddress?) {
    switch AddressKey(address) {
    case .version4(let number): self = .version4(number)
    case .version6(let number): self = .version6(number & ~0xFFFF)
    case .none, .uncounted: self = .unknown
    }
  }
}
