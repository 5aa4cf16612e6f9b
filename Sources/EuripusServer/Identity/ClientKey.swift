// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// The key that a request brings, as a cookie or as a bearer's token (PROTOCOL §2).
struct ClientKey {
  /// How a client keeps its key.
  enum Means: String, CaseIterable {
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
    let bearer = try withToken(request) { Credential(hashing: $0) }
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
  static func ofCookie(_ request: HTTPRequest, isSecure: Bool) throws(Problem) -> ClientKey? {
    try KeyCookie.withKey(request, isSecure: isSecure) { key in
      key.map { ClientKey(credential: Credential(hashing: $0), means: .cookie) }
    }
  }

  /// Whether a request may bring a token.
  static func mayHaveToken(_ request: HTTPRequest) -> Bool { request.headerCount("Authorization") > 0 }

  /// What the digests of this client's requests are made with.
  ///
  /// - Parameter request: the one that brought this key.
  func digestKey(_ request: HTTPRequest, isSecure: Bool) throws(Problem) -> DigestKey? {
    switch means {
    case .cookie: try KeyCookie.withKey(request, isSecure: isSecure) { $0.map { DigestKey(of: $0) } }
    case .bearer: try Self.withToken(request) { DigestKey(of: $0) }
    }
  }

  /// Whether a request has a token and no key as a cookie, by its form.
  static func isBearerAlone(_ request: HTTPRequest) -> Bool {
    guard mayHaveToken(request), (try? withToken(request) { _ in }) != nil else { return false }
    for isSecure in [false, true] {
      guard (try? KeyCookie.withKey(request, isSecure: isSecure) { $0 == nil }) == true else { return false }
    }
    return true
  }

  private static func withToken<Result>(
    _ request: HTTPRequest, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(Problem) -> Result {
    guard request.headerCount("Authorization") == 1, let field = request.headerBytes("Authorization") else {
      throw .badCredential("expected one Authorization field, got \(request.headerCount("Authorization"))", of: .keys)
    }
    return body(try token(UnsafeRawBufferPointer(field)))
  }

  /// The token in the value of an `Authorization` field: `Bearer` in any case, spaces, a token (RFC 6750
  /// §2.1; RFC 9110 §11.4).
  static func token(_ field: UnsafeRawBufferPointer) throws(Problem) -> UnsafeRawBufferPointer {
    let space = UInt8(ascii: " ")
    let scheme = field.prefix { $0 != space }
    guard String(decoding: scheme, as: UTF8.self).lowercased() == "bearer" else {
      throw .badCredential("expected 'Authorization: Bearer' and a token; got another scheme", of: .scheme)
    }
    let token = field[scheme.endIndex...].drop { $0 == space }
    let characters = token.prefix(while: isTokenByte)
    guard !characters.isEmpty, token[characters.endIndex...].allSatisfy({ $0 == UInt8(ascii: "=") }) else {
      throw .badCredential("expected a token after 'Bearer', of letters, digits and -._~+/", of: .keys)
    }
    return UnsafeRawBufferPointer(rebasing: token)
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "-._~+/".utf8.contains(byte)
    }
  }
}

extension Problem {
  /// What is wrong with a credential.
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
