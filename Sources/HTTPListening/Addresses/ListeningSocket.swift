// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// The one socket from which a listener's loops accept clients.
///
/// It has no SO_REUSEPORT. So a port that is taken is an error, and its clients are not shared.
package struct ListeningSocket: Sendable {
  /// The outcome of one attempt to accept.
  enum Acceptance {
    case connected(Int32, PeerAddress)
    case nobodyWaits
    /// The process or the system is out of descriptors or memory; the client still waits.
    case exhausted
  }

  package let descriptor: Int32
  /// The real port, even if port 0 was asked for.
  package let port: UInt16
  /// Whether another process has the socket too, and may let another listener take its clients.
  private let isInherited: Bool

  /// Opens a socket at the address of the configuration, or takes the socket that it names.
  package init(_ configuration: HTTPListenerConfiguration) throws(HTTPListeningError) {
    isInherited = configuration.inheritedDescriptor != nil
    if let inherited = configuration.inheritedDescriptor {
      try Self.listen(inherited, backlog: configuration.backlog)
      descriptor = inherited
    } else {
      descriptor = try Self.open(configuration)
    }
    var bound = PeerAddress()
    _ = bound.fill { [descriptor] in getsockname(descriptor, $0, &$1) }
    port = bound.port
    askWhetherClientsAreThere()
  }

  private static func open(_ configuration: HTTPListenerConfiguration) throws(HTTPListeningError) -> Int32 {
    let host = configuration.host
    let port = configuration.port
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE
    var found: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &found)
    guard status == 0, let found else {
      throw .unusableAddress(host: host, port: port, reason: String(cString: gai_strerror(status)))
    }
    defer { freeaddrinfo(found) }

    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(found.pointee.ai_family, type, 0)
    guard descriptor >= 0 else {
      throw .systemRefused(what: "opening a socket", reason: String(cString: strerror(errno)))
    }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0,
      Glibc.listen(descriptor, configuration.backlog) == 0
    else {
      let error = errno
      close(descriptor)
      throw error == EADDRINUSE
        ? .addressInUse(host: host, port: port)
        : .unusableAddress(host: host, port: port, reason: String(cString: strerror(error)))
    }
    return descriptor
  }

  /// Listens at a socket that was bound before this process began.
  ///
  /// Clients of the server before this one may be waiting there.
  private static func listen(_ descriptor: Int32, backlog: Int32) throws(HTTPListeningError) {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) >= 0,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) >= 0, Glibc.listen(descriptor, backlog) == 0
    else {
      throw .systemRefused(what: "listening at an inherited socket", reason: String(cString: strerror(errno)))
    }
  }

  /// The seconds of silence after which the system asks a client whether it is there, the seconds between two such
  /// questions, and the number without an answer after which the connection ends: after less than half a minute in all.
  private static let (silence, pause, questions): (Int32, Int32, Int32) = (12, 4, 3)

  /// Has the system find clients whose network has gone (tcp(7), SO_KEEPALIVE). Linux hands these options on to the
  /// sockets that are accepted.
  private func askWhetherClientsAreThere() {
    let tcp = Int32(IPPROTO_TCP)
    for (level, name, value) in [
      (SOL_SOCKET, SO_KEEPALIVE, 1), (tcp, TCP_KEEPIDLE, Self.silence), (tcp, TCP_KEEPINTVL, Self.pause),
      (tcp, TCP_KEEPCNT, Self.questions),
    ] {
      var value = value
      setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  func accept() -> Acceptance {
    var peer = PeerAddress()
    while true {
      let socket = peer.fill { cmhd_accept(descriptor, $0, &$1) }
      if socket >= 0 { return .connected(socket, peer) }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
      default: return .nobodyWaits
      }
    }
  }

  /// Refuses new clients from here on. At an inherited socket they are not refused: they wait for another
  /// listener, or until no process has the socket. The descriptor stays valid for loops that still look at it.
  func refuseClients() { if !isInherited { _ = shutdown(descriptor, Int32(SHUT_RDWR)) } }

  func closeDescriptor() { _ = close(descriptor) }
}
