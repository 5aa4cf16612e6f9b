// SPDX-License-Identifier: MIT
import HTTPListening
import Locking
import Sessions
import Storing
import ViewModels

/// The users that an app recognises by its own cookies and tokens. The app is asked off the loops, and its
/// answers are remembered for a while.
final class Authenticator: Sendable {
  typealias Function = @Sendable (RequestHead) async throws -> User?

  /// The error of a request that has to wait until the app was asked.
  struct Unasked: Error {
    let head: RequestHead
  }

  private struct Known {
    let user: User?
    let until: ContinuousClock.Instant
  }

  private enum Entry {
    case known(Known)
    case asked([@Sendable (Result<Void, any Error>) -> Void])

    func isOver(at now: ContinuousClock.Instant) -> Bool {
      if case .known(let known) = self { known.until <= now } else { false }
    }
  }

  /// The time for which an answer counts. A user that the app has shut out may go on for as long.
  private static let remembered: Duration = .seconds(30)
  private static let most = 1_000

  private let function: Function
  private let threads = RouteThreads()
  private let surroundings: AppRoute.Surroundings?
  private let now: @Sendable () -> ContinuousClock.Instant
  /// The answers, by hashes of the requests' heads. Nothing else is kept of the app's own keys.
  private let entries = Locked<[Digest: Entry]>([:])

  /// - Parameter surroundings: those of each part of the function; `nil` for none.
  init(
    _ function: @escaping Function, within surroundings: AppRoute.Surroundings? = nil,
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    (self.function, self.surroundings, self.now) = (function, surroundings, now)
  }

  /// The user of a request.
  ///
  /// - Throws: ``Unasked``, if the app has to be asked first.
  func user(of head: RequestHead) throws(Unasked) -> User? {
    // A request without a token and without cookies has no user.
    if head.bearerToken == nil, head.cookieField == nil { return nil }
    let now = now()
    let digest = Self.digest(of: head)
    let known = entries.withLock { entries -> Known? in
      if case .known(let known)? = entries[digest], known.until > now { known } else { nil }
    }
    guard let known else { throw Unasked(head: head) }
    return known.user
  }

  /// Asks the app, once for all requests with the same head.
  ///
  /// - Parameter network: the network of the request, by whose share the app's function gets a thread.
  func ask(
    _ head: RequestHead, from network: ClientNetwork,
    then done: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    let digest = Self.digest(of: head)
    let isFirst: Bool? = entries.withLock { entries in
      if case .asked(var waiting)? = entries[digest] {
        // It is taken out first, so that the requests which wait are not copied.
        entries[digest] = nil
        waiting.append(done)
        entries[digest] = .asked(waiting)
        return false
      }
      if entries.count >= Self.most { entries = entries.filter { if case .asked = $0.value { true } else { false } } }
      // The app has this many answers still to give.
      if entries.count >= Self.most { return nil }
      entries[digest] = .asked([done])
      return true
    }
    guard let isFirst else {
      return done(.failure(Problem(.overloaded, "too many requests wait for the app to say whose they are")))
    }
    guard isFirst else { return }
    let caller = ThreadCaller(network: network, client: nil)
    Task(executorPreference: RouteExecutor(threads, for: caller, within: surroundings)) {
      let result: Result<User?, any Error>
      do { result = .success(try await self.function(head)) } catch { result = .failure(error) }
      self.finish(digest, result)
    }
  }

  private func finish(_ digest: Digest, _ result: Result<User?, any Error>) {
    let until = now() + Self.remembered
    let waiting = entries.withLock { entries in
      let before = entries[digest]
      // A failure is not remembered: the next request asks again.
      entries[digest] = if case .success(let user) = result { .known(Known(user: user, until: until)) } else { nil }
      if case .asked(let waiting)? = before { return waiting } else { return [] }
    }
    for done in waiting { done(result.map { _ in }) }
  }

  /// Forgets the answers that do not count any more. To be called now and then.
  func forget() {
    let now = now()
    entries.withLock { entries in
      guard entries.contains(where: { $0.value.isOver(at: now) }) else { return }
      entries = entries.filter { !$0.value.isOver(at: now) }
    }
  }

  /// The number of answers that are remembered or waited for.
  var count: Int { entries.withLock { $0.count } }

  private static func digest(of head: RequestHead) -> Digest {
    // A missing text must differ from an empty one.
    Digest(
      method: "", path: [head.bearerToken, head.cookieField].map { $0.map { "=\($0)" } ?? "" }, body: [], key: nil)
  }
}

extension RequestHead {
  /// The values of all cookies with a name, in order.
  public func cookies(_ name: String) -> [String] { cookieField.map { KeyCookie.keys(name, in: $0) } ?? [] }

  /// The part of a request that an app is shown. A token of this server is not in it.
  init(_ request: HTTPRequest) {
    let token = request.header("Authorization").flatMap { try? ClientKey.token(in: $0) }
    self.init(
      bearerToken: token.flatMap { ClientKey.isToken($0) ? nil : $0 },
      cookieField: request.list("Cookie", separator: "; "))
  }
}
