// SPDX-License-Identifier: MIT
import HTTPListening

extension HTTPResponse {
  /// A file that a client is to keep. It is never shown as a page of this server, whatever is in it.
  static func attachment(_ file: OpenedFile, named name: String, type: String) -> HTTPResponse {
    var response = HTTPResponse.plain(
      200, [],
      [
        HTTPField("Content-Type", type), HTTPField("Content-Disposition", FileDisposition.attachment(name)),
        HTTPField("Content-Security-Policy", "sandbox; default-src 'none'"),
        HTTPField("Referrer-Policy", "no-referrer"), HTTPField("Cross-Origin-Resource-Policy", "same-origin"),
        HTTPField("Cross-Origin-Opener-Policy", "same-origin"), HTTPField("Cache-Control", "no-store"),
      ])
    (response.body, response.entityTag) = (.file(file.body), file.tag)
    return response
  }
}

/// `Content-Disposition` of a file that a client is to keep (RFC 6266).
enum FileDisposition {
  /// - Parameter name: the name that the client is to give it, in any language.
  static func attachment(_ name: String) -> String {
    let plain = String(
      name.unicodeScalars.map {
        $0.value >= 0x20 && $0.value < 0x7F && !"\"\\/%".unicodeScalars.contains($0) ? Character($0) : "_"
      })
    let text = #"attachment; filename="\#(plain.isEmpty ? "file" : plain)""#
    let isPlain = plain == name
    return isPlain ? text : "\(text); filename*=UTF-8''\(attributeEncoded(name))"
  }

  /// RFC 8187 §3.2: other bytes than those of `attr-char` are percent-encoded.
  private static func attributeEncoded(_ name: String) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$&+-.^_`|~".utf8)
    return name.utf8.map { byte in
      if plain.contains(byte) { return String(UnicodeScalar(byte)) }
      return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
