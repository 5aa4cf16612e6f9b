// SPDX-License-Identifier: MIT
import HTTPListening

/// Checks of the texts of a configuration.
extension ServerConfiguration {
  /// Whether a text is an address in numbers, or a range such as `10.0.0.0/8`.
  package static func isAddressRange(_ text: String) -> Bool { AddressRange(text) != nil }

  /// Whether a host to listen at belongs to this machine alone: `localhost`, 127.0.0.0/8 or ::1.
  package static func isOwnMachine(_ host: String) -> Bool {
    isOwnAddress(host) || host.lowercased() == "localhost"
  }

  private static let ownRanges = ["127.0.0.0/8", "::1"].compactMap { AddressRange($0) }

  /// Whether an address in numbers belongs to this machine alone.
  static func isOwnAddress(_ text: String) -> Bool {
    guard let address = IPAddress(text) else { return false }
    return ownRanges.contains { $0.contains(address) }
  }

  /// Whether a text is a host as in a URL, without a port: a name, an address of version 4, or one of version 6
  /// in brackets (RFC 3986 §3.2.2).
  package static func isHostName(_ text: String) -> Bool {
    if text.hasPrefix("["), text.hasSuffix("]") {
      let address = text.dropFirst().dropLast()
      return address.contains(":") && IPAddress(address) != nil
    }
    return !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"):
          true
        default: "-._~!$&'()*+;=%".utf8.contains(byte)
        }
      }
  }
}
