// SPDX-License-Identifier: MIT
import HTTPListening
import Storing
import ViewModels

/// A request that sends a file, or a part of one, without its body. Its fields are those of the resumable uploads of the
/// IETF (draft-ietf-httpbis-resumable-upload-12), and of digests (RFC 9530).
struct UploadRequest: Sendable {
  /// `Content-Type` as it was sent; `nil` if there is none.
  let contentType: String?
  /// The name of the file at the client, by `Content-Disposition`; `nil` if there is none.
  let fileName: String?
  /// `Upload-Offset`: the place in the file at which the body begins.
  let offset: Int?
  /// Whether the request says that it has no body.
  let isEmpty: Bool
  /// `Upload-Complete`: whether the file ends with the body.
  let isComplete: Bool?
  /// The bytes of the whole file, by `Upload-Length`, or by `Content-Length` if the body is all of it.
  let length: Int?
  /// `Repr-Digest` and `Content-Digest`: the SHA-256 of the whole file, and that of the body.
  let digest: Digest?
  let digestOfBody: Digest?
  /// The place in the file at which the client's body begins, whose last part another server passes on; `nil` for a body that
  /// has come as a whole.
  var bodyStart: Int?

  /// - Throws: `bad-request` for a field that is not of its form.
  init(_ request: HTTPRequest) throws(Problem) {
    contentType = request.header("Content-Type")
    fileName = request.header("Content-Disposition").flatMap(Self.fileName)
    isEmpty = request.headerCount("Transfer-Encoding") == 0 && (request.header("Content-Length") ?? "0") == "0"
    offset = try request.header("Upload-Offset").map { value throws(Problem) in try Self.count(value, "Upload-Offset") }
    isComplete = try request.header("Upload-Complete").map { value throws(Problem) in
      switch value {
      case "?1": true
      case "?0": false
      default: throw Problem(.badRequest, "expected ?1 or ?0 as Upload-Complete, got '\(value)'")
      }
    }
    let isForm = contentType.map(MediaType.isMultipart) == true
    // The body is all of the file.
    let isWhole = isComplete != false && !isForm && request.method != "PATCH"
    let whole = isWhole ? request.header("Content-Length") : nil
    let given = try request.header("Upload-Length").map { value throws(Problem) in
      try Self.count(value, "Upload-Length")
    }
    length = isForm ? nil : given ?? whole.flatMap { Int($0) }
    digest = try request.list("Repr-Digest").flatMap { value throws(Problem) in try Self.digest(value, "Repr-Digest") }
    digestOfBody = try request.list("Content-Digest").flatMap { value throws(Problem) in
      try Self.digest(value, "Content-Digest")
    }
    if isForm, digest != nil || digestOfBody != nil {
      throw Problem(.badRequest, "a form has no digest here; expected files by themselves, each with its own")
    }
  }

  /// An integer of structured fields (RFC 9651 §3.3.1) that is no less than 0.
  private static func count(_ text: String, _ field: String) throws(Problem) -> Int {
    guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(text)
    else { throw Problem(.badRequest, "expected a number of bytes as \(field), got '\(text)'") }
    return count
  }

  /// The SHA-256 among digests; `nil` if there are only others, which may be passed over (RFC 9530 §2).
  private static func digest(_ text: String, _ field: String) throws(Problem) -> Digest? {
    for part in text.split(separator: ",") {
      let part = part.trimmed
      guard part.hasPrefix("sha-256=") else { continue }
      let value = part.dropFirst("sha-256=".count)
      guard value.count > 2, value.first == ":", value.last == ":",
        let bytes = Base64.decoded(value.dropFirst().dropLast()), let digest = Digest(bytes: bytes)
      else { throw Problem(.badRequest, "expected sha-256=:…: with 32 bytes in base64 in \(field), got '\(text)'") }
      return digest
    }
    return nil
  }

  /// The name in `Content-Disposition` (RFC 6266): `filename*` before `filename`, and the last part of a path.
  static func fileName(_ field: String) -> String? {
    let parameters = DispositionParameters(field)
    if let extended = parameters["filename*"] {
      let parts = extended.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
      if parts.count == 3, parts[0].lowercased() == "utf-8",
        let name = PercentCoding.decoded(parts[2].utf8, plusIsSpace: false)
      {
        return lastPart(name)
      }
    }
    return parameters["filename"].map(lastPart)
  }

  /// A name without the directories before it, which some clients send.
  private static func lastPart(_ name: String) -> String {
    String(name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? "")
  }
}

/// The parameters of a field such as `form-data; name="photo"; filename="a.png"` (RFC 9110 §5.6.6), by their names in lower
/// case.
struct DispositionParameters {
  private var values: [String: String] = [:]

  init(_ field: String) {
    var rest = Substring(field)[...]
    _ = Self.take(&rest, until: ";")
    while !rest.isEmpty {
      let name = Self.take(&rest, until: "=").trimmed.lowercased()
      rest = rest.drop { $0 == " " }
      var value = ""
      if rest.first == "\"" {
        rest = rest.dropFirst()
        while let character = rest.popFirst(), character != "\"" {
          // Browsers do not escape a backslash (HTML, multipart/form-data), so one before other characters stands for itself.
          if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
            value.append(rest.removeFirst())
          } else {
            value.append(character)
          }
        }
        _ = Self.take(&rest, until: ";")
      } else {
        value = String(Self.take(&rest, until: ";").trimmed)
      }
      if !name.isEmpty { values[name] = value }
    }
  }

  subscript(_ name: String) -> String? { values[name] }

  private static func take(_ rest: inout Substring, until end: Character) -> Substring {
    let taken = rest.prefix { $0 != end }
    rest = rest[taken.endIndex...].dropFirst()
    return taken
  }
}

/// Base64 with padding (RFC 4648 §4).
enum Base64 {
  private static let digits: [UInt8: UInt32] = Dictionary(
    uniqueKeysWithValues: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8.enumerated().map {
      ($1, UInt32($0))
    })

  /// - Returns: `nil` for a text that is not base64.
  static func decoded(_ text: Substring) -> [UInt8]? {
    let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let body = text.utf8.dropLast(padding)
    guard padding <= 2, (body.count + padding) % 4 == 0 else { return nil }
    var (bytes, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
    for byte in body {
      guard let digit = digits[byte] else { return nil }
      (bits, count) = (bits << 6 | digit, count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
