// SPDX-License-Identifier: MIT

import HTTPListening
import JSONPatching
import Sessions

/// Changes of a session, one or many in a request (PROTOCOL §3, §4), each made once for its key.
extension Application {
  /// Makes the change that a request asks for, and answers with its frame: at once, or, if the client wants to wait, when the
  /// commands are over that it starts.
  ///
  /// - Parameters:
  ///   - canWait: whether the client may want to wait.
  ///   - prepare: reads what the request asks for.
  func change(
    _ session: Session, _ request: HTTPRequest, _ target: RequestTarget, canWait: Bool = false,
    _ prepare: () throws -> Change
  ) throws -> HTTPAnswer {
    let wait = canWait ? Preferences(request.list("Prefer")).wait : nil
    session.willBeChanged()
    guard wait != nil || Self.hasKey(request) else {
      return inSession(session, with: try prepare()) { me, session, change in
        try me._withUnsafeGuaranteedRef { try $0.refusePoisoned() }
        guard let message = try change.make(in: session) else { return .noContent() }
        return .frame(message)
      }
    }
    let keyed = try keyed(request, target)
    // With a key, what is wrong with the request is decided like everything else about it: in its turn, and once.
    let change = Result { try prepare() }
    if keyed == nil { _ = try change.get() }
    return inSession(session, wait: wait) { session, waiter in
      try self.once(session, keyed, waiter, wait: wait) {
        try change.get().make(in: session, wait == nil ? nil : waiter, of: keyed).map { .frame($0) }
      }
    }
  }

  /// Does what a request asks for, or answers as it was answered when it came before.
  ///
  /// - Parameter body: does it; gives `nil` if the waiter waits.
  /// - Returns: `nil` if the waiter waits.
  func once(
    _ session: isolated Session, _ keyed: KeyedRequest?, _ waiter: ActionWaiter, wait: Int? = nil,
    _ body: () throws -> Done?
  ) throws -> HTTPResponse? {
    guard let keyed else {
      try refusePoisoned()
      return try body()?.response(wait)
    }
    switch try session.earlier(keyed, waiter: waiter) {
    case .answer(let kept): return HTTPResponse(kept, wait: wait)
    case .decided(let version): return .replayed(version)
    case .atWork: return nil
    case .closed: return .noContent()
    case .nothing: break
    }
    do {
      try refusePoisoned()
      guard let done = try body() else { return nil }
      if let kept = done.kept { session.remember(keyed, kept) }
      return done.response(wait)
    } catch {
      let problem = problem(error)
      if problem.kind.isDecision { session.remember(keyed, problem.kept) }
      return problem.response
    }
  }

  /// What a request that was done is answered.
  enum Done {
    case frame(Message)
    /// The session is closed, which the host remembers.
    case closed

    var kept: KeptAnswer? {
      switch self {
      case .frame(let message): .frame(message)
      case .closed: nil
      }
    }

    func response(_ wait: Int?) -> HTTPResponse {
      switch self {
      case .frame(let message): .frame(message, Application.applied(wait))
      case .closed: .noContent()
      }
    }
  }

  /// A request in a session with its key; `nil` if it has none.
  ///
  /// - Throws: `bad-request` for a key that is malformed, or several.
  func keyed(_ request: HTTPRequest, _ target: RequestTarget) throws -> KeyedRequest? {
    guard let idempotencyKey = try Self.idempotencyKey(request) else { return nil }
    let isSecure = try identity(request).isSecure
    let digestKey = try ClientKey.of(request, isSecure: isSecure) { host.knows($0) }?
      .digestKey(request, isSecure: isSecure)
    return KeyedRequest(
      key: idempotencyKey,
      digest: RequestDigest(method: request.method, path: target.segments, body: request.body, key: digestKey))
  }

  /// A request that opens a session with its key; `nil` if it has none.
  ///
  /// - Throws: `bad-request` for a key that is malformed, or several.
  static func keyedOpening(_ request: HTTPRequest, _ target: RequestTarget) throws -> KeyedRequest? {
    try idempotencyKey(request).map { key in
      KeyedRequest(
        key: key, digest: RequestDigest(method: request.method, path: target.segments, body: request.body, key: nil))
    }
  }

  private static func hasKey(_ request: HTTPRequest) -> Bool { request.headerCount("Idempotency-Key") > 0 }

  private static func idempotencyKey(_ request: HTTPRequest) throws -> IdempotencyKey? {
    guard let field = request.header("Idempotency-Key") else { return nil }
    guard request.headerCount("Idempotency-Key") == 1, let key = IdempotencyKey(field) else {
      throw Problem(
        .badRequest,
        """
        expected one Idempotency-Key of 1 to \(IdempotencyKey.maxLength) visible ASCII characters; if it ends with a slash \
        and digits, with a name before them and a number from 1 without leading zeros
        """)
    }
    return key
  }
}
