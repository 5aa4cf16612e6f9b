// SPDX-License-Identifier: MIT
import Glibc

/// The method of a request, as far as any resource knows it.
enum RequestMethod: Int, Sendable, CaseIterable {
  case get, head, post, put, delete, options, other

  /// - Parameter name: as it was sent; its case counts (RFC 9110 §9.1).
  init(_ name: UnsafeBufferPointer<UInt8>) {
    self =
      switch name.count {
      case 3: Self.isSame(name, "GET") ? .get : Self.isSame(name, "PUT") ? .put : .other
      case 4: Self.isSame(name, "POST") ? .post : Self.isSame(name, "HEAD") ? .head : .other
      case 6: Self.isSame(name, "DELETE") ? .delete : .other
      case 7: Self.isSame(name, "OPTIONS") ? .options : .other
      default: .other
      }
  }

  /// As it stands in a request, or `other`.
  var name: String {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .put: "PUT"
    case .delete: "DELETE"
    case .options: "OPTIONS"
    case .other: "other"
    }
  }

  /// - Parameter known: of the same length.
  private static func isSame(_ name: UnsafeBufferPointer<UInt8>, _ known: StaticString) -> Bool {
    guard let start = name.baseAddress else { return false }
    return memcmp(start, known.utf8Start, name.count) == 0
  }
}
