// SPDX-License-Identifier: MIT
import Dispatch
public import JSONPatching
import Locking
import ObservableCore
import Sessions
public import ViewModels

/// Several people in one session, who come and go.
extension ModelDriver {
  /// Another driver of the same room, as a client that another person enters with.
  ///
  /// ```swift
  /// let anna = try ModelDriver(scope: .room, as: User(id: "anna")) { Board($0) }
  /// let bob = try anna.member(User(id: "bob"))
  /// ```
  ///
  /// - Parameters:
  ///   - user: the user who has signed in; `nil` for nobody.
  ///   - invitation: the invitation by which they come, as `context.invite` gives it; `nil` for none.
  /// - Throws: the reason why the user may not enter.
  public func member(_ user: User?, by invitation: String? = nil) throws -> ModelDriver {
    if !session.isRoom {
      stopProgram(
        "a further member was wanted of a session that is no room", expected: "a driver with 'scope: .room'",
        remedy: "write 'ModelDriver(scope: .room) { … }'")
    }
    return ModelDriver(driven, as: try driven.enter(as: Visitor(user: user), by: invitation))
  }

  /// A driver of a view model of one person's own that can follow this room by `context.room`, as one that stands beside
  /// the room on a page.
  ///
  /// ```swift
  /// let finder = try board.beside(as: User(id: "bob")) { CardFinder($0) }
  /// try board.perform("add", "Milk")
  /// await finder.wait { $0["found"] == 1 }
  /// ```
  ///
  /// Its actions take the database of the room's.
  ///
  /// - Parameters:
  ///   - user: the user who has signed in; `nil` for nobody.
  ///   - params: the parameters of the view model; they have to fit.
  /// - Throws: as ``init(clock:at:address:scope:as:params:languages:timeZone:_:)``.
  public func beside<Model: ViewModel>(
    as user: User? = nil, params: JSON? = nil, _ make: @escaping @Sendable (SessionContext) throws -> Model
  ) throws -> ModelDriver {
    try ModelDriver(
      .hosting(at: "/\(Model.surface.name)", make), clock: clock, address: nil,
      by: Visitor(user: user, isLocal: true, params: params), driven.database, beside: driven)
  }

  /// A driver of another view model of the same client, as a second page in the same browser. Without it each driver is a client
  /// of its own.
  ///
  /// ```swift
  /// let courts = try ModelDriver(database: database) { Courts($0) }
  /// let mine = try courts.sameClient { MyBookings($0) }
  /// ```
  ///
  /// Its actions take the same database, and both have the clock and the topics together.
  ///
  /// - Parameters:
  ///   - user: the user who has signed in; `nil` for nobody.
  ///   - params: the parameters of the view model; they have to fit.
  /// - Throws: as ``init(clock:at:address:scope:as:params:languages:timeZone:_:)``.
  public func sameClient<Model: ViewModel>(
    as user: User? = nil, params: JSON? = nil, _ make: @escaping @Sendable (SessionContext) throws -> Model
  ) throws -> ModelDriver {
    try ModelDriver(
      .hosting(at: "/\(Model.surface.name)", make), clock: clock, address: nil,
      by: Visitor(user: user, isLocal: true, params: params), driven.database, beside: driven, as: requester.client)
  }

  /// Follows the session, as an open page does. The client is one of its `context.members` then. It has no effect on a driver
  /// that follows already.
  public func follow() {
    let reader = entering { [requester] session in Waiter.follower(since: session.version, of: requester) }
    let isNew = follower.withLock { follower in
      defer { follower = follower ?? reader }
      return follower == nil
    }
    guard isNew else { return }
    Self.follow(session, reader, as: requester)
    settle()
  }

  /// Stops following, as a page that is closed does. The view model learns of it once the clock has moved: by three
  /// seconds at most.
  public func stopFollowing() {
    let reader = follower.withLock { follower in
      defer { follower = nil }
      return follower
    }
    if let reader { Self.entering(session) { $0.endWait(of: reader, nil) } }
  }

  /// Has a reader wait, and come again like a page where it is told to.
  private static func follow(_ session: Session, _ reader: Waiter, as requester: Requester) {
    // A guest who was dismissed is told that there is no such session.
    guard session.isAdmitted(requester) || !session.isRoom else { return }
    session.submit { session in
      _ = session.follow(reader) { answer in
        switch answer {
        case .changed, .closed: break
        case .unchanged, .displaced, .failed: follow(session, reader, as: requester)
        }
      }
    }
  }

  /// Waits until the view model has been told of those who came and went.
  private func settle() {
    let isDone = DispatchSemaphore(value: 0)
    session.whenIdle { isDone.signal() }
    isDone.wait()
  }
}
