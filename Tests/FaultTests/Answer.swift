// SPDX-License-Identifier: MIT
import Glibc
import JSONPatching

/// A response as it came, taken apart as far as the tests need its parts.
struct Answer: Equatable {
  let status: Int
  let entityTag: String?
  let body: [UInt8]

  var json: JSON? {
    // The limits are for bodies that clients send, and this is one that a server sent.
    try? JSONReader.read(body, limits: .init(depth: 64, nodes: .max))
  }

  /// The last segment of its problem's type; nil if it is no problem.
  var problem: String? {
    guard status >= 400, case .string(let type)? = json?["type"] else { return nil }
    return String(type.dropFirst("/problems/".count))
  }

  /// Takes a whole response from the start of `bytes`.
  ///
  /// - Returns: the response and its length, or nil while it is not whole.
  static func parse(_ bytes: [UInt8]) -> (answer: Answer, length: Int)? {
    guard let end = index(of: "\r\n\r\n", in: bytes) else { return nil }
    let head = Array(bytes[..<(end + 2)])
    let status = bytes[9..<12].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    let length = status == 204 || status == 304 ? 0 : Int(field("Content-Length", of: head) ?? "0") ?? 0
    let total = end + 4 + length
    guard bytes.count >= total else { return nil }
    return (Answer(status: status, entityTag: field("ETag", of: head), body: Array(bytes[(end + 4)..<total])), total)
  }

  static func field(_ name: String, of head: [UInt8]) -> String? {
    guard let start = index(of: "\r\n\(name): ", in: head) else { return nil }
    let value = head[(start + name.utf8.count + 4)...]
    return String(decoding: value.prefix { $0 != 13 }, as: UTF8.self)
  }

  private static func index(of needle: String, in bytes: [UInt8]) -> Int? {
    // The zero ends the C string: neither a head nor JSON has one.
    (bytes + [0]).withUnsafeBytes { bytes in
      let text = bytes.assumingMemoryBound(to: CChar.self).baseAddress.unsafelyUnwrapped
      return strstr(text, needle).map { UnsafePointer($0) - text }
    }
  }
}
