// SPDX-License-Identifier: MIT
import HTTPListening

/// The fields for pages of other origins (Fetch §3.3, "CORS protocol"): none, unless they are allowed.
///
/// `Cross-Origin-Resource-Policy: same-origin` stays on the answers to these: it counts only for resources that a page
/// embeds, not for those that it fetches by these rules.
extension CrossSite {
  /// The fields of any answer to a request from that origin.
  func fields(for origin: String?) -> [HTTPField] {
    guard allowsOthers else { return [] }
    // Answers to others have it as well: a cache must not give one of them to these, nor the other way round.
    let vary = HTTPField("Vary", "Origin")
    guard let origin, allows(origin) else { return [vary] }
    return [
      vary, HTTPField("Access-Control-Allow-Origin", origin), HTTPField("Access-Control-Allow-Credentials", "true"),
      HTTPField("Access-Control-Expose-Headers", "ETag, Location, Preference-Applied, Retry-After"),
    ]
  }

  /// The further fields of the answer to a browser that asks whether it may send a request.
  static func preflightFields(_ methods: [String]) -> [HTTPField] {
    [
      HTTPField("Access-Control-Allow-Methods", methods.joined(separator: ", ")),
      HTTPField(
        "Access-Control-Allow-Headers",
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer"),
      HTTPField("Access-Control-Max-Age", "600"),
    ]
  }
}
