// SPDX-License-Identifier: MIT
import Glibc

/// An address in numbers and a port, in the system's own form.
final class AddressInformation {
  private let first: UnsafeMutablePointer<addrinfo>

  /// - Returns: `nil` if the host is no address in numbers.
  init?(_ host: String, port: UInt16) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let found else { return nil }
    first = found
  }

  deinit { freeaddrinfo(first) }

  var family: Int32 { first.pointee.ai_family }

  func connect(_ descriptor: Int32) -> Bool {
    Glibc.connect(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0
  }
}
