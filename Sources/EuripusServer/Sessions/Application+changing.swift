// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching
import Sessions
import Storing
import ViewModels

/// Changes of a session, one or many in a request. With a key, each request takes effect once (PROTOCOL §3,
/// §4).
extension Application {
  /// Makes a session's changes for a request, and answers with a frame. The answer comes at once, or, if the
  /// client wants to wait, when the commands are over that the changes start.
  ///
  /// - Parameters:
  ///   - canWait: whether this request may ask to wait.
  ///   - isOfValue: whether it sets one value, which its `If-Match` is about.
  ///   - isForm: whether its body is that of a form.
  ///   - read: reads the changes of the request.
  func change(
    _ call: Call, canWait: Bool = false, isOfValue: Bool = false, isForm: Bool = false, _ read: () throws -> ChangeBody
  ) throws -> HTTPAnswer {
    let access = try access(call)
    var preferences = Preferences(call.request.list("Prefer"))
    if !canWait { (preferences.wait, preferences.isStrict) = (nil, false) }
    let key = try keyed(call, isForm: isForm)
    let wish: Result<ChangeRequest.Wish, any Error>
    var body: ChangeBody?
    do {
      let asked = try read()
      let conditions = try Conditions(call.request, call.target, isOfValue: isOfValue)
      body = asked
      wish = .success(
        .changes(
          asked.changes, isList: asked.isList, since: conditions.since, ifMatch: conditions.ifMatch,
          values: conditions.ofValue.map { [$0] } ?? asked.values))
    } catch { wish = .failure(error) }
    return try apply(wish, key, of: call, access, preferences) { [body] in body?.problem(of: $0) ?? self.problem($0) }
  }

  /// Performs the action of a path, or starts its command. Its value is in JSON, or in the form that pages send.
  func perform(_ call: Call) throws -> HTTPAnswer {
    let type = call.request.header("Content-Type")
    let isForm = type.map(MediaType.isForm) == true
    if isForm { try callers.checkForm(of: call.request, call.caller) }
    return try change(call, canWait: true, isForm: isForm) {
      ChangeBody(.perform(call.path.tokens, try isForm ? formValue(of: call) : body(of: call.request, type)))
    }
  }

  /// The value of an action in a form's body; `nil` for an action that takes none.
  private func formValue(of call: Call) throws(Problem) -> JSON? {
    let taken = surfaces[call.path.model].map { Declaration.taken(in: $0, at: call.path.tokens) } ?? []
    // The session says that there is no such action.
    if taken?.isEmpty == true { return nil }
    let body = call.request.body
    guard let taken, let type = taken.first, taken.allSatisfy({ $0?.json == type?.json }) else {
      throw Problem(.notJSON, "the path leads to actions of several kinds, which take application/json alone")
    }
    guard let type else {
      if body.isEmpty { return nil }
      throw Problem(.invalidAction, "expected no value, got a form", pointer: "")
    }
    guard let shape = FormShape(of: type) else {
      throw Problem(
        .notJSON,
        "this action takes application/json alone: its value is neither a text, a number or a truth value nor an object of such"
      )
    }
    return try shape.value(of: body)
  }

  /// Closes a session.
  func close(_ access: Access, _ call: Call) throws -> HTTPAnswer {
    let wish = Result { ChangeRequest.Wish.close(ifMatch: try Conditions(call.request, call.target).ifMatch) }
    return try apply(wish, keyed(call), of: call, access, Preferences(nil)) { self.problem($0) }
  }

  /// - Parameters:
  ///   - preferences: how long the client waits for commands, and what it wants to be told.
  ///   - problem: makes the problem of an error.
  /// - Throws: the fault of the wish, for a request without a key. With a key, the session decides on the fault
  ///   too.
  private func apply(
    _ wish: Result<ChangeRequest.Wish, any Error>, _ key: KeyedRequest?, of call: Call, _ access: Access,
    _ preferences: Preferences, problem: @escaping @Sendable (any Error) -> Problem
  ) throws -> HTTPAnswer {
    if key == nil { _ = try wish.get() }
    let (session, cookie, wait) = (access.session, access.cookie, preferences.wait)
    let change = ChangeRequest(
      wish, key: key, waitsForCommands: wait != nil, isMinimal: preferences.isMinimal,
      isStrict: preferences.isStrict,
      mayRepeat: call.request.attempt < DatabaseTransaction.mostRepetitions, from: access.requester
    ) { error in
      let problem = problem(error)
      return ChangeRequest.Refusal(problem, kept: problem.kind.row.isKept ? problem.kept : nil)
    }
    let reply = DeferredReply(deadline: .seconds(wait ?? Self.longestTurn)) { reply, ending in
      if change.take() { return Self.refuse(reply, ending, after: wait ?? Self.longestTurn) }
      let hasReader = if case .clientLeft = ending { false } else { true }
      session.submit {
        $0.endWait(of: change, hasReader: hasReader)
      } afterTurn: {
        self.giveUp(reply, ending, ifStuck: session)
      }
    }
    session.apply(change) { result in
      switch result {
      case .success(let outcome): reply.answer(HTTPResponse(outcome, preferences, cookie))
      // Nothing was done: the host has to find the session again.
      case .failure(SessionError.left): reply.askAgain()
      case .failure(let error): reply.answer(self.failure(error))
      }
    }
    return .later(reply)
  }

  /// The key of a request in a session; `nil` if it has none.
  ///
  /// - Parameter isForm: whether the body is that of a form.
  /// - Throws: `bad-request` for a malformed key, and for several keys.
  func keyed(_ call: Call, isForm: Bool = false) throws -> KeyedRequest? {
    let request = call.request
    guard let idempotencyKey = try Self.idempotencyKey(request) else { return nil }
    let key = call.caller.key
    // The same bytes are another value as a form.
    let digest = Digest(
      method: isForm ? "\(request.method) form" : request.method, path: call.target.segments, body: request.body,
      key: key?.requestKey,
      of: key?.credential)
    return KeyedRequest(key: idempotencyKey, digest: digest, isMarked: key != nil)
  }

  /// The key of a request that opens a session; `nil` if it has none.
  ///
  /// - Throws: `bad-request` for a malformed key, and for several keys.
  static func keyedOpening(_ call: Call) throws -> KeyedRequest? {
    let request = call.request
    return try idempotencyKey(request).map { key in
      KeyedRequest(
        key: key, digest: Digest(method: request.method, path: call.target.segments, body: request.body, key: nil))
    }
  }

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
