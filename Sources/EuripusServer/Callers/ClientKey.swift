// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions
import Storing

/// The key that a request brings, in a cookie or as a bearer's token (PROTOCOL §2).
package struct ClientKey {
  /// The means by which a client keeps its key.
  package enum Means: String, CaseIterable {
    case cookie, bearer
  }

  let credential: Credential
  let means: Means
  /// Whether the key is a token of the app's own.
  var isForeign: Bool { means == .bearer && !Self.isToken(text) }
  /// The cookie that held the key; `nil` for a token.
  let cookie: KeyCookie?
  private let text: String

  private init(_ text: String, _ means: Means, _ cookie: KeyCookie? = nil) {
    self.cookie = cookie
    credential = Credential(hashing: text)
    (self.text, self.means) = (text, means)
  }

  /// A known key counts before an unknown one. If none is known, the last one counts.
  /// - Parameters:
  ///   - cookie: the cookie in which a browser keeps its key on this way.
  ///   - takesForeign: whether a token of the app's own counts.
  ///   - isKnown: whether a credential is a client's. An unknown one is treated as none.
  /// - Throws: `bad-credential` for a malformed key, and for keys of different clients.
  static func of(
    _ request: HTTPRequest, _ cookie: KeyCookie, takesForeign: Bool = false, isKnown: (Credential) -> Bool
  ) throws(Problem) -> ClientKey? {
    var keys: [ClientKey] = []
    for text in cookieKeys(of: request, in: cookie) { keys.append(ClientKey(text, .cookie, cookie)) }
    if mayHaveToken(request) {
      let text = try token(request)
      // A token that is not of this server identifies nobody.
      if isToken(text) || takesForeign { keys.append(ClientKey(text, .bearer)) }
    }
    if keys.count <= 1 { return keys.first }
    let known = keys.filter { isKnown($0.credential) }
    if known.count > 1 {
      throw .badCredential("the request has the keys of several clients; expected one of them", of: .keys)
    }
    return known.first ?? keys.last
  }

  /// The credentials in the cookies of a request, if it has several.
  static func several(_ request: HTTPRequest, _ cookie: KeyCookie) -> [Credential] {
    let keys = cookieKeys(of: request, in: cookie)
    return keys.count > 1 ? keys.map { Credential(hashing: $0) } : []
  }

  /// The keys in the cookies of a request that are looked at. Each may have to be looked up in the store, so of many
  /// the last ones count: browsers send cookies of longer paths first, and the server's own has the shortest (RFC
  /// 6265 §5.4).
  private static func cookieKeys(of request: HTTPRequest, in cookie: KeyCookie) -> ArraySlice<String> {
    cookie.keys(of: request).filter { !isToken($0) }.suffix(mostKeys)
  }

  /// The most keys in cookies, more than a client can have got.
  private static let mostKeys = 4

  /// The beginning of every token, and of no key in a cookie. So neither can be used as the other. A stolen
  /// cookie's key is not a token, and requests with a token are not asked for the page that they come from.
  static let tokenStart = "euripus."

  static func isToken(_ key: String) -> Bool { key.utf8.starts(with: tokenStart.utf8) }

  /// Whether a request may bring a token.
  private static func mayHaveToken(_ request: HTTPRequest) -> Bool { request.headerCount("Authorization") > 0 }

  /// The key by which the digests of this client's requests are made.
  var requestKey: Digest { .requestKey(of: text) }

  /// Whether a request has a token and no key in a cookie. Only their forms are checked.
  static func isBearerAlone(_ request: HTTPRequest, of caller: Caller) -> Bool {
    guard mayHaveToken(request), (try? token(request)) != nil else { return false }
    return caller.cookie.keys(of: request).isEmpty
      && KeyCookie(isSecure: true, host: "").keys(of: request).isEmpty
  }

  /// The token that a request brings.
  private static func token(_ request: HTTPRequest) throws(Problem) -> String {
    let count = request.headerCount("Authorization")
    guard count == 1, let field = request.header("Authorization") else {
      throw .badCredential("expected one Authorization field, got \(count)", of: .keys)
    }
    return try token(in: field)
  }

  /// The token in the value of an `Authorization` field: `Bearer` in any case, then spaces, then a token (RFC
  /// 6750 §2.1; RFC 9110 §11.4).
  static func token(in field: String) throws(Problem) -> String {
    let space = UInt8(ascii: " ")
    let scheme = field.utf8.prefix { $0 != space }
    guard String(Substring(scheme)).lowercased() == "bearer" else {
      let isScheme = !scheme.isEmpty && scheme.allSatisfy(isSchemeByte)
      throw .badCredential(
        "expected 'Authorization: Bearer' and a token; got \(isScheme ? "another" : "no") scheme",
        of: isScheme ? .scheme : .keys)
    }
    let token = field.utf8[scheme.endIndex...].drop { $0 == space }
    let characters = token.prefix(while: isTokenByte)
    guard !characters.isEmpty, token[characters.endIndex...].allSatisfy({ $0 == UInt8(ascii: "=") }) else {
      throw .badCredential("expected a token after 'Bearer', of letters, digits and -._~+/", of: .keys)
    }
    return String(Substring(token))
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || "-._~+/".utf8.contains(byte) }

  /// Whether the byte may stand in the name of a scheme, which is a token (RFC 9110 §5.6.2).
  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }
}

extension Problem {
  /// The fault of a credential.
  enum CredentialFault {
    /// It is of a scheme that the server does not know. That counts as if there were no credential (RFC 6750
    /// §3.1).
    case scheme
    case keys
  }

  static func badCredential(_ detail: String, of fault: CredentialFault) -> Problem {
    var problem = Problem(.badCredential, detail)
    if case .keys = fault {
      problem.fields = [HTTPField("WWW-Authenticate", #"Bearer realm="euripus", error="invalid_token""#)]
    }
    return problem
  }
}
