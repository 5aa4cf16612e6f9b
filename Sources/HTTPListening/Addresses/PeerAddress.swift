// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// The socket address of a client, of IPv4 or IPv6, or only the family for a Unix socket. It is a value that
/// can be handed from loop to loop.
struct PeerAddress: Sendable {
  /// Large enough for both families; `length` bytes of it are the address.
  private var storage = sockaddr_in6()
  private var length = socklen_t(MemoryLayout<sockaddr_in6>.size)

  func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  /// Lets a system call fill the address in.
  mutating func fill<Result>(_ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Result) -> Result {
    length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    defer { length = min(length, socklen_t(MemoryLayout<sockaddr_in6>.size)) }
    return withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
    }
  }

  /// The port, in host order; 0 if the family has none.
  var port: UInt16 {
    // Addresses of IPv4 and IPv6 have the port in the same place.
    Int32(storage.sin6_family) == AF_UNIX ? 0 : UInt16(bigEndian: storage.sin6_port)
  }

  /// The address in numbers, without its port; empty for any other family.
  var numeric: String { withSocketAddress { address, _ in Self.numeric(address) } }

  /// The address in numbers, without its port; empty for any other family.
  static func numeric(_ address: UnsafePointer<sockaddr>) -> String {
    let length: Int
    switch Int32(address.pointee.sa_family) {
    case AF_INET: length = MemoryLayout<sockaddr_in>.size
    case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
    default: return ""
    }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
      let status = getnameinfo(
        address, socklen_t(length), text.baseAddress, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
      return status == 0 ? text.baseAddress.map { String(cString: $0) } ?? "" : ""
    }
  }
}
