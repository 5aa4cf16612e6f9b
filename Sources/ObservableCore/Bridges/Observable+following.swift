// SPDX-License-Identifier: MIT
import Observation

extension Observable where Value: Equatable {
  /// An observable that follows the value of `read`, which reads models made with Swift's `@Observable`.
  ///
  /// ```swift
  /// let name = Observable(following: { settings.name })
  /// ```
  ///
  /// If a transaction changes a model, the observable is up to date at the end of that transaction, and its
  /// observers are told in it. A change outside every transaction arrives with the isolation's next job, as a
  /// transaction of its own: Observation speaks before a property changes, and not after. The observable
  /// follows until it goes, or its graph is closed, and keeps `read` as long.
  ///
  /// In a file that also imports Observation, `Observable` is this class, `Observation.Observable` the protocol
  /// and `@Observable` the macro.
  ///
  /// - Precondition: the models are changed in `isolation`, or on one thread, like all objects of the graph.
  public convenience init(
    following read: @escaping () -> Value, isolation: isolated (any Actor)? = #isolation, name: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line
  ) {
    let follower = Follower(read, isolation)
    self.init(follower.look(), name: name, file: file, line: line)
    isFollowing = true
    follower.target = self
    keep(follower)
  }
}

/// The reader of models, which reads them again after each change.
private final class Follower<Value: Equatable>: FollowUp {
  weak var target: Observable<Value>?
  private let read: () -> Value

  init(_ read: @escaping () -> Value, _ isolation: (any Actor)?) {
    self.read = read
    super.init(isolation)
  }

  /// Reads the present value of the models. At their next change the follower reads again.
  func look() -> Value {
    let arrival = announcement()
    return withObservationTracking(read) { arrival() }
  }

  override func follow() {
    guard let target else { return }
    let value = look()
    do { try target.set(value) } catch {
      if hostTakes(error, of: "following \(target.origin)", in: target.graph) { return }
      stopProgram(
        "\(target.origin): '\(error)' was thrown by an observer of a followed model, with nobody to catch it",
        expected: "observers that do not throw", remedy: "catch it in the observer's handler")
    }
  }
}

/// Work that is done once after a model has announced a change.
private class FollowUp {
  private let isolation: (any Actor)?
  private var isDue = false

  init(_ isolation: (any Actor)?) { self.isolation = isolation }

  func follow() {}

  /// The closure that Observation calls before a property changes.
  final func announcement() -> @Sendable () -> Void {
    isDue = false
    // The model announces the change on the thread that makes it, which is the one that uses the graph. It
    // keeps this closure until the change. The observable keeps the follow-up, which keeps the model; so the
    // closure must not keep the follow-up.
    let announce = ActorBound(value: { [weak self] in self?.modelWillChange() })
    return { announce.value() }
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
    let me = ActorBound(value: self)
    Self.soon(isolation) { me.value.followIfDue() }
  }

  private func followIfDue() {
    if isDue { follow() }
  }

  private static func soon(_ isolation: (any Actor)?, _ body: @escaping @Sendable () -> Void) {
    Task { await run(isolation, body) }
  }

  private static func run(_ isolation: isolated (any Actor)?, _ body: () -> Void) { body() }
}
