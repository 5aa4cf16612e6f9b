// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions
import ViewModels

/// The user that a request proves, by a proxy or by the app.
enum RequestUser: Sendable {
  /// Neither a proxy nor the app names users. Only view models sign users in.
  case notAsked
  case nobody
  case user(User)

  var user: User? { if case .user(let user) = self { user } else { nil } }
}

extension Application {
  /// The user that a trusted proxy names.
  ///
  /// - Throws: `bad-request` for fields that are not believed.
  func namedUser(_ request: HTTPRequest, _ isPassedOn: Bool) throws(Problem) -> RequestUser {
    guard let userHeader else { return .notAsked }
    let isTrusted =
      isPassedOn ? request.header(PassedRequest.userField) != nil : forwarding.trusts(request.peerAddress)
    let user = try userHeader.user(in: request.fields, isTrusted: isTrusted)
    return user.map { .user($0) } ?? .nobody
  }

  /// The user of a call, as the proxy says, or else as the app says.
  ///
  /// - Throws: ``Authenticator/Unasked``, if the app has to be asked first.
  func user(of call: Call) throws -> RequestUser {
    if case .user = call.namedUser { return call.namedUser }
    guard let authenticator else { return call.namedUser }
    return try authenticator.user(of: head(of: call.request)).map { .user($0) } ?? .nobody
  }

  /// The client of a call that need not belong to a session, with its user.
  struct KnownClient {
    /// The owner for limits: the user that the request proves, or else the client with its key; `nil` if
    /// neither is known.
    let owner: Credential?
    /// The user that the proxy or the app names, or else the client's own user.
    let user: User?
  }

  func knownClient(of call: Call) throws -> KnownClient {
    let user = try user(of: call)
    if case .user(let user) = user { return KnownClient(owner: .ofUser(user.id), user: user) }
    // A route may have its own credentials, of any form.
    do {
      guard let key = try key(call, of: user).flatMap({ provedOrNone($0, user) }) else {
        return KnownClient(owner: nil, user: nil)
      }
      if mayFetch(call.request), !host.knowsAll(of: key.credential) { throw SessionsToFetch.clients([key.credential]) }
      return KnownClient(owner: host.owner(of: key.credential), user: host.user(of: key.credential))
    } catch {
      if error is Problem { return KnownClient(owner: nil, user: nil) }
      throw error
    }
  }

  private func head(of request: HTTPRequest) -> RequestHead {
    let token = request.header("Authorization").flatMap { try? ClientKey.token(in: $0) }
    return RequestHead(
      bearerToken: token.flatMap { ClientKey.isToken($0) ? nil : $0 },
      cookieField: request.list("Cookie", separator: "; "))
  }

  /// The key of a call's client. It counts as none if the client is another user's than the request's.
  ///
  /// - Throws: ``SessionError/signedOut``, if the client belongs to a user whom the request does not prove.
  func proved(_ key: ClientKey?, _ user: RequestUser) throws(SessionError) -> ClientKey? {
    guard let key else { return nil }
    switch user {
    case .notAsked: return key
    case .nobody:
      // Readers that wait by earlier proofs are told too.
      if host.dismissUnproved(key.credential) { throw .signedOut }
      return key
    case .user(let user):
      if host.bind(key.credential, to: user) { return key }
      // Another person uses the same browser now.
      _ = host.dismissUnproved(key.credential)
      return nil
    }
  }

  /// The same, but a client without its user counts as none: it begins anew.
  func provedOrNone(_ key: ClientKey?, _ user: RequestUser) -> ClientKey? {
    do throws(SessionError) { return try proved(key, user) } catch { return nil }
  }

  /// Whether a request may be handled anew after a fetch. It may once, and once more if the app is asked first.
  func mayFetch(_ request: HTTPRequest) -> Bool { request.attempt < (authenticator == nil ? 1 : 2) }

  /// The answer to a request that cannot be decided before the app has named its user.
  func authenticating(_ unasked: Authenticator.Unasked, for request: HTTPRequest) -> HTTPAnswer {
    let reply = DeferredReply(deadline: .seconds(waitingTime(of: request))) { reply, ending in
      switch ending {
      case .clientLeft: break
      case .timedOut:
        let detail = "the app has not said whose this is in the time that the request may wait"
        reply.answer(Problem(.overloaded, detail).response)
      case .stopping: reply.answer(Problem(.draining, "the server is stopping").response)
      }
    }
    authenticator?.ask(unasked.head, from: network(of: request)) { result in
      if case .failure(let error) = result { reply.answer(self.failure(error)) } else { reply.askAgain() }
    }
    return .later(reply)
  }
}
