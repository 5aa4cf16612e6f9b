// SPDX-License-Identifier: MIT

/// A value that can be watched.
///
/// A write that is a change (by the observable's ``CutOff``; equality by default) tells every observer, in the order of
/// their subscription, before the assignment returns; inside a ``transaction(_:_:)`` or a handler, when that is over.
/// Observers are held strongly (S0-8). Subscribing does not replay the present value unless asked to (S0-5).
///
/// Not `Sendable`: one thread at a time.
public class Observable<Value>: Node {
  @exclusivity(unchecked) @usableFromInline final var current: Value
  /// The value from before the transaction, while `isTouched`.
  @exclusivity(unchecked) final var before: Value?
  final let cutOff: CutOff<Value>
  @exclusivity(unchecked) final var subscriptions: [Subscription<Value>] = []
  @exclusivity(unchecked) final var watchers: [(watcher: any Watcher, tag: Int)] = []

  /// An observable that holds `value` and tells nobody of it (S0-1).
  ///
  /// - Parameter name: how errors and traces call it.
  public init(
    _ value: Value, cutOff: CutOff<Value>, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    current = value
    self.cutOff = cutOff
    super.init(Origin(name: name, file: file, line: line))
  }

  /// An observable of a value that equality cuts off (S0-3).
  public convenience init(
    _ value: Value, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) where Value: Equatable {
    self.init(value, cutOff: .equality, name: name, file: file, line: line)
  }

  /// The present value.
  ///
  /// Assigning runs the observers. An assignment cannot throw: if an observer may, write with ``set(_:)`` or inside a
  /// transaction, otherwise its error ends the process, as `try!` would.
  public final var value: Value {
    get { current }
    set {
      do { try set(newValue) } catch {
        preconditionFailure("\(origin): '\(error)' reached an assignment, which cannot throw; write with 'try set(_:)'")
      }
    }
  }

  /// The present value, as a method: a parameter pack can call it.
  @inlinable
  public final func get() -> Value { current }

  /// Writes the value, and settles everything that depends on it unless a transaction is open.
  ///
  /// - Throws: what observers and combiners threw; all the others have run nevertheless.
  public final func set(_ value: Value) throws {
    let propagation = Propagation.current
    switch propagation.phase {
    case .idle:
      if cutOff.isDuplicate(current, value) { return }
      try propagation.run(.finish) { self.writeUndecided(value, in: propagation) }
    case .collecting: writeUndecided(value, in: propagation)
    case .settling: writeDecided(value, in: propagation)
    }
  }

  /// In a transaction's body: whether it is a change is decided by the last write (a write that is taken back is none).
  private func writeUndecided(_ value: Value, in propagation: Propagation) {
    remember(in: propagation)
    if !isUndecided {
      isUndecided = true
      propagation.postpone(self)
    }
    current = value
  }

  /// While the graph settles: at once a change, or none.
  final func writeDecided(_ value: Value, in propagation: Propagation) {
    if cutOff.isDuplicate(current, value) { return }
    remember(in: propagation)
    current = value
    propagation.changed(self)
  }

  private func remember(in propagation: Propagation) {
    if isTouched { return }
    isTouched = true
    before = current
    propagation.touch(self)
  }

  final override func hasChanged() -> Bool {
    guard let before else { return false }
    return !cutOff.isDuplicate(before, current)
  }

  final override func commit() {
    isTouched = false
    wasDecidedEarly = false
    if !watchers.isEmpty, hasChanged() {
      for entry in watchers { entry.watcher.nodeDidChange(entry.tag) }
    }
  }

  final override func forgetBefore() {
    if !isTouched { before = nil }
  }

  final override func undo() {
    isTouched = false
    wasDecidedEarly = false
    forgetUndoneVersions()
    for subscription in subscriptions { subscription.seen = min(subscription.seen, version) }
    if let old = before {
      before = .some(current)
      current = old
    }
  }

  final override func deliver(in propagation: Propagation) {
    // A snapshot: who subscribes meanwhile has seen this version, who is removed is no longer active (S0-9).
    for subscription in subscriptions where subscription.isActive && subscription.seen != version {
      subscription.seen = version
      propagation.guarding { try subscription.observer.handler?(current) }
      // What that handler wrote settles before the next one looks (S0-10).
      propagation.settleCombiners()
      if propagation.isAborted { return }
    }
  }

  override func tearDown() {
    for subscription in subscriptions { subscription.isActive = false }
    subscriptions = []
    watchers = []
  }
}

extension Observable {
  /// Adds an observer; the same one added twice is told twice (S0-6).
  ///
  /// - Parameter replay: whether the observer is told the present value at once.
  /// - Returns: what ends just this subscription.
  @discardableResult
  public final func addObserver(_ observer: Observer<Value>, replay: Bool = false) -> Subscription<Value> {
    decideEarly()
    let subscription = Subscription(of: observer, to: self)
    subscriptions.append(subscription)
    Propagation.current.join(subscription)
    if replay { observer.replay(current) }
    return subscription
  }

  /// Removes every subscription of the observer; one that is not subscribed is left alone (S0-6).
  public final func removeObserver(_ observer: Observer<Value>) {
    for subscription in subscriptions where subscription.observer === observer { subscription.isActive = false }
    subscriptions.removeAll { $0.observer === observer }
  }

  /// Has `watcher` told, at the end of each transaction that changed the value, and only then.
  ///
  /// - Parameter tag: what the watcher is told, so that one watcher serves many observables.
  public final func watch(_ watcher: any Watcher, tag: Int) {
    watchers.append((watcher, tag))
  }
}
