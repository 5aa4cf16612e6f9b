// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// The key that a request brings, as a cookie or as a bearer's token (PROTOCOL §2).
package struct ClientKey {
  /// How a client keeps its key.
  package enum Means: String, CaseIterable {
    case cookie, bearer
  }

  let credential: Credential
  let means: Means

  /// The key of a request; `nil` if it has none that counts.
  ///
  /// - Parameter isKnown: whether a credential is one: another is treated as none.
  /// - Throws: `bad-credential` for a malformed one, and for two of different clients.
  static func of(_ request: HTTPRequest, isSecure: Bool, isKnown: (Credential) -> Bool) throws(Problem) -> ClientKey? {
    let cookie = try ofCookie(request, isSecure: isSecure)
    guard mayHaveToken(request) else { return cookie }
    let bearer = Credential(hashing: try token(request))
    guard let cookie, cookie.credential != bearer, isKnown(cookie.credential) else {
      return ClientKey(credential: bearer, means: .bearer)
    }
    if isKnown(bearer) {
      throw .badCredential("the cookie is one client's and the token another's; expected one of them", of: .keys)
    }
    return cookie
  }

  /// The key that a request brings as a cookie.
  ///
  /// - Throws: `bad-credential` for two different ones.
  private static func ofCookie(_ request: HTTPRequest, isSecure: Bool) throws(Problem) -> ClientKey? {
    try KeyCookie.key(request, isSecure: isSecure).map {
      ClientKey(credential: Credential(hashing: $0), means: .cookie)
    }
  }

  /// Whether a request may bring a token.
  private static func mayHaveToken(_ request: HTTPRequest) -> Bool { request.headerCount("Authorization") > 0 }

  /// The key by which the digests of this client's requests are made.
  ///
  /// - Parameter request: the one that brought this key.
  func requestKey(_ request: HTTPRequest, isSecure: Bool) throws(Problem) -> Digest? {
    switch means {
    case .cookie: try KeyCookie.key(request, isSecure: isSecure).map { .requestKey(of: $0) }
    case .bearer: .requestKey(of: try Self.token(request))
    }
  }

  /// Whether a request has a token and no key as a cookie, by its form.
  static func isBearerAlone(_ request: HTTPRequest) -> Bool {
    guard mayHaveToken(request), (try? token(request)) != nil else { return false }
    return [false, true].allSatisfy { isSecure in
      do throws(Problem) { return try KeyCookie.key(request, isSecure: isSecure) == nil } catch { return false }
    }
  }

  /// The token that a request brings.
  private static func token(_ request: HTTPRequest) throws(Problem) -> String {
    let count = request.headerCount("Authorization")
    guard count == 1, let field = request.header("Authorization") else {
      throw .badCredential("expected one Authorization field, got \(count)", of: .keys)
    }
    return try token(in: field)
  }

  /// The token in the value of an `Authorization` field: `Bearer` in any case, spaces, a token (RFC 6750
  /// §2.1; RFC 9110 §11.4).
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
    /// It is of a scheme that the server does not know: as if there were none (RFC 6750 §3.1).
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
