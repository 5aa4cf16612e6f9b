// SPDX-License-Identifier: MIT
import Observation

extension Observable where Value: Equatable {
  /// An observable that follows what `read` gives of models made with Swift's `@Observable`.
  ///
  /// ```swift
  /// let name = Observable(following: { settings.name })
  /// ```
  ///
  /// By default it is up to date when the transaction is over in which a model was changed, and its observers are told in
  /// it; a change outside every transaction arrives with the isolation's next job, as one of its own, since Observation
  /// speaks before a property changes and not after. It follows until it goes: `read` is kept, the observable is not.
  ///
  /// In a file that imports Observation as well, `Observable` is this class, `Observation.Observable` the protocol and
  /// `@Observable` the macro.
  ///
  /// - Precondition: the models are changed in `isolation`, or on one thread, like everything of the graph.
  public convenience init(
    following read: @escaping () -> Value, isolation: isolated (any Actor)? = #isolation, name: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line
  ) {
    let follower = Follower(read, isolation)
    self.init(follower.look(), name: name, file: file, line: line)
    isFollowing = true
    follower.target = self
  }
}

/// Looks at models again after each change.
private final class Follower<Value: Equatable>: FollowUp {
  weak var target: Observable<Value>?
  private let read: () -> Value

  init(_ read: @escaping () -> Value, _ isolation: (any Actor)?) {
    self.read = read
    super.init(isolation)
  }

  /// What the models give now; their next change makes the follower look again.
  func look() -> Value {
    let arrival = announcement()
    return withObservationTracking(read) { arrival() }
  }

  override func follow() {
    guard let target else { return }
    let value = look()
    do { try target.set(value) } catch {
      // Not preconditionFailure, which says nothing in a release build.
      fatalError(
        "\(target.origin): '\(error)' was thrown by an observer of a followed model, with nobody to catch it")
    }
  }
}

/// What has to be done once after a model has announced a change.
private class FollowUp {
  private let isolation: (any Actor)?
  private var isDue = false

  init(_ isolation: (any Actor)?) { self.isolation = isolation }

  func follow() {}

  /// What Observation calls before a property changes.
  final func announcement() -> @Sendable () -> Void {
    isDue = false
    let unchecked = Unchecked(followUp: self)
    return { unchecked.followUp.modelWillChange() }
  }

  private func modelWillChange() {
    guard !isDue else { return }
    isDue = true
    let isInTransaction = withPropagation { propagation in
      if propagation.phase == .idle { return false }
      propagation.followUps.append { self.followIfDue() }
      return true
    }
    if isInTransaction { return }
    let unchecked = Unchecked(followUp: self)
    Self.soon(isolation) { unchecked.followUp.followIfDue() }
  }

  private func followIfDue() {
    if isDue { follow() }
  }

  private static func soon(_ isolation: (any Actor)?, _ body: @escaping @Sendable () -> Void) {
    Task { await run(isolation, body) }
  }

  private static func run(_ isolation: isolated (any Actor)?, _ body: () -> Void) { body() }

  /// The change of a model is announced on the thread that makes it, which is the one that uses the graph, but
  /// Observation's closure has to be `Sendable`.
  private struct Unchecked: @unchecked Sendable {
    let followUp: FollowUp
  }
}
