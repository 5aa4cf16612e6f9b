// SPDX-License-Identifier: MIT
import HTTPListening

/// The response of another server, in the form in which this server gives it to the client.
struct NodeAnswer {
  let status: Int
  let type: String
  /// The other server's word that it does not have the session, or is not the server that was meant; `nil` for
  /// an answer.
  let refusal: String?
  /// Whether it is a file, of which a client must not take a part for the whole.
  let isFile: Bool
  /// The bytes of its body, if it says how many they are.
  let length: Int?
  private let fields: [HTTPField]
  private let entityTag: String?

  init(status: Int, fields given: [(name: String, value: String)]) {
    self.status = status
    var fields: [HTTPField] = []
    var (type, tag, refusal): (String, String?, String?) = ("", nil, nil)
    var (isFile, length) = (false, Int?.none)
    for (name, value) in given {
      let (lower, value) = (name.lowercased(), String(value[...].trimmed))
      if lower == "etag" {
        tag = value.hasPrefix("\"") && value.count > 1 ? String(value.dropFirst().dropLast()) : nil
      } else if let known = Self.known[lower] {
        fields.append(HTTPField(known, value))
      }
      if lower == "euripus-node" { refusal = refusal ?? value }
      if lower == "content-type" { type = value }
      if lower == "content-disposition" { isFile = true }
      if lower == "content-length" { length = Int(value) }
    }
    (self.type, self.fields, self.refusal, entityTag) = (type, fields, refusal, tag)
    (self.isFile, self.length) = (isFile, length)
  }

  /// Whether it is given on piece by piece: events as they come, and a file, which may be long.
  var isStream: Bool { type.hasPrefix("text/event-stream") || isFile }

  /// - Parameter isHead: whether it answers HEAD.
  func response(_ body: [UInt8], isHead: Bool = false) -> HTTPResponse {
    let isUnsent = status == 304 || isHead && status != 204
    return HTTPResponse(
      status: status, fields: fields, body: isUnsent ? .unsent(length: length) : .bytes(body), entityTag: entityTag)
  }

  /// The fields of answers about sessions. Each server sets the fields of its own connections, and the fields
  /// about a page's origin.
  private static let names: [StaticString] =
    [
      "Accept-Ranges", "Allow", "Cache-Control", "Content-Type", "Content-Disposition", "Content-Range",
      "Content-Security-Policy",
      "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Referrer-Policy", "Vary", "X-Accel-Buffering",
      "X-Content-Type-Options",
    ] + AnswerField.allCases.filter { !$0.isEntityTag }.map(\.name)
  private static let known = Dictionary(uniqueKeysWithValues: names.map { ("\($0)".lowercased(), $0) })
}
