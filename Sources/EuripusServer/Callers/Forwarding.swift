// SPDX-License-Identifier: MIT
import HTTPListening

/// The proxies that are trusted to say where a request comes from. No other client is believed about that.
struct Forwarding: Sendable {
  /// A client as those before this server tell of it (PROTOCOL §7).
  struct Client: Equatable {
    /// The address in numbers; `nil` if it is the address of the connection's peer.
    var address: String?
    /// Whether the client speaks TLS, with this server or with a proxy before it.
    var isSecure: Bool
    /// The name by which the client calls the server; `nil` if no proxy says it. With it, the Host field is only
    /// between the proxy and this server.
    var host: String?
  }

  /// The fields of a request that say where it comes from.
  struct Claims {
    var forwarded: String?
    var addresses: String?
    var schemes: String?
    var hosts: String?

    var areNone: Bool { forwarded == nil && !areNamedX }
    var areNamedX: Bool { addresses != nil || schemes != nil || hosts != nil }
  }

  private let trusted: [AddressRange]

  init(trusting trusted: [AddressRange]) { self.trusted = trusted }

  /// The client of a request.
  ///
  /// - Throws: `bad-request`, if the fields of a trusted proxy cannot be understood.
  func client(of request: HTTPRequest) throws(Problem) -> Client {
    if trusted.isEmpty { return Client(isSecure: request.isSecure) }
    return try client(
      peer: request.peerAddress, isSecure: request.isSecure,
      Claims(
        forwarded: request.list("Forwarded"), addresses: request.list("X-Forwarded-For"),
        schemes: request.list("X-Forwarded-Proto"), hosts: request.list("X-Forwarded-Host")))
  }

  /// The client of a request that another server of the store has passed on.
  static func passedOn(_ request: HTTPRequest) throws(Problem) -> Client {
    guard let element = request.list("Forwarded").flatMap({ ForwardedElement.list($0) })?.last else {
      throw Problem(.badRequest, "another server passed a request on without its client")
    }
    return Client(address: element.address, isSecure: element.scheme == "https", host: element.host)
  }

  /// The client of a request. Its address is the last one that is not a trusted proxy's. Its scheme and host
  /// are those that the proxy says.
  ///
  /// - Parameters:
  ///   - peer: the address of the connection's peer.
  ///   - isSecure: whether the connection is by TLS.
  /// - Throws: `bad-request`, if the fields of a trusted proxy cannot be understood.
  func client(peer: String, isSecure: Bool, _ claims: Claims) throws(Problem) -> Client {
    var client = Client(isSecure: isSecure)
    guard !claims.areNone, trusts(peer) else { return client }
    for hop in try hops(claims).reversed() {
      if let scheme = hop.scheme?.lowercased() {
        guard scheme == "http" || scheme == "https" else {
          throw Problem(.badRequest, "the proxy says that the client's scheme is '\(scheme)'; expected http or https")
        }
        client.isSecure = scheme == "https"
      }
      client.host = hop.host ?? client.host
      // A hidden or unknown client has no better address than that of the proxy that says so.
      guard let address = hop.address, IPAddress(address) != nil else { break }
      client.address = address
      if !trusts(address) { break }
    }
    return client
  }

  /// Whether an address in numbers is a trusted proxy's.
  func trusts(_ text: String) -> Bool {
    guard let address = IPAddress(text) else { return false }
    return trusted.contains { $0.contains(address) }
  }

  private func hops(_ claims: Claims) throws(Problem) -> [ForwardedElement] {
    if let forwarded = claims.forwarded {
      // A proxy sets one kind of fields itself. It lets the other kind through as the client sent it.
      if claims.areNamedX {
        throw Problem(
          .badRequest,
          "the proxy passes on both Forwarded and X-Forwarded fields; expected those that it sets, and not the client's"
        )
      }
      guard let hops = ForwardedElement.list(forwarded) else {
        throw Problem(.badRequest, "the proxy's Forwarded field is not of the form of RFC 7239")
      }
      return hops
    }
    let addresses = Self.list(claims.addresses)
    let schemes = Self.list(claims.schemes)
    let hosts = Self.list(claims.hosts)
    return (0..<max(1, addresses.count)).map { index in
      ForwardedElement(
        address: addresses.isEmpty ? nil : ForwardedElement.node(addresses[index]),
        scheme: Self.one(schemes, at: index, of: addresses.count),
        host: Self.one(hosts, at: index, of: addresses.count))
    }
  }

  /// The value for a hop. If there is a value for each hop, it is the hop's own. Otherwise it is the last one,
  /// which the nearest proxy set.
  private static func one(_ values: [String], at index: Int, of count: Int) -> String? {
    values.count == count ? values.dropFirst(index).first : values.last
  }

  private static func list(_ field: String?) -> [String] {
    (field ?? "").split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }.map(String.init)
  }
}
