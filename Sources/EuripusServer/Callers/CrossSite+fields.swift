// SPDX-License-Identifier: MIT
import HTTPListening

/// The fields for pages of other origins, if there are allowed ones (Fetch §3.3, "CORS protocol").
///
/// `Cross-Origin-Resource-Policy: same-origin` stays on the answers to such pages. It counts only for resources
/// that a page embeds, not for those that it fetches by these rules.
extension CrossSite {
  /// The fields of any answer to a request from that origin.
  func fields(for origin: String?) -> [HTTPField] {
    guard allowsOthers else { return [] }
    // Answers to other origins have this field too: a cache must not give an answer for one origin to another.
    let vary = HTTPField("Vary", "Origin")
    guard let origin, allows(origin) else { return [vary] }
    return [
      vary, HTTPField("Access-Control-Allow-Origin", origin), HTTPField("Access-Control-Allow-Credentials", "true"),
      Self.exposed,
    ]
  }

  private static let exposed = HTTPField(
    "Access-Control-Expose-Headers",
    AnswerField.allCases.filter(\.isForPages).map { "\($0.name)" }.joined(separator: ", "))

  /// The further fields for a browser that asks whether it may send a request.
  static func preflightFields(_ methods: [String]) -> [HTTPField] {
    [
      HTTPField("Access-Control-Allow-Methods", methods.joined(separator: ", ")),
      HTTPField(
        "Access-Control-Allow-Headers",
        """
        Authorization, Content-Digest, Content-Disposition, Content-Type, Idempotency-Key, If-Match, If-None-Match, \
        Last-Event-ID, Prefer, Repr-Digest, Upload-Complete, Upload-Length, Upload-Offset
        """),
      HTTPField("Access-Control-Max-Age", "600"),
    ]
  }
}
