// SPDX-License-Identifier: MIT

/// The first bytes by which kinds of files are known (WHATWG MIME Sniffing, §6.1 and §6.2).
package enum FileSignature {
  /// The number of bytes that have to be looked at.
  package static let length = 32

  private static let all: [(type: String, at: Int, bytes: [UInt8])] = [
    ("image/png", 0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    ("image/jpeg", 0, [0xFF, 0xD8, 0xFF]),
    ("image/gif", 0, Array("GIF8".utf8)),
    ("image/webp", 8, Array("WEBP".utf8)),
    ("image/avif", 4, Array("ftypavi".utf8)),
    ("image/avif", 4, Array("ftypmif1".utf8)),
    ("image/bmp", 0, Array("BM".utf8)),
    ("application/pdf", 0, Array("%PDF-".utf8)),
    ("application/gzip", 0, [0x1F, 0x8B, 0x08]),
    ("application/zip", 0, [0x50, 0x4B, 0x03, 0x04]),
    ("audio/wav", 8, Array("WAVE".utf8)),
    ("audio/flac", 0, Array("fLaC".utf8)),
    ("video/webm", 0, [0x1A, 0x45, 0xDF, 0xA3]),
  ]

  /// Whether a file can be of a media type, by its first bytes. A type whose files have no signature here can have any
  /// bytes but the signature of a picture.
  package static func fits(_ first: [UInt8], _ type: String) -> Bool {
    let own = all.filter { $0.type == type }
    if !own.isEmpty { return own.contains { has(first, $0) } }
    return !all.contains { $0.type.hasPrefix("image/") && $0.bytes.count > 2 && has(first, $0) }
  }

  private static func has(_ first: [UInt8], _ signature: (type: String, at: Int, bytes: [UInt8])) -> Bool {
    first.dropFirst(signature.at).starts(with: signature.bytes)
  }
}
