// SPDX-License-Identifier: MIT
import ObservableCore

/// A value that a formula finds. Its inputs are the nodes that the formula read the last time.
final class PlainComputed<Value>: PlainTeller<Value> {
  private var formula: (() throws -> Value)?
  private let isDuplicate: (Value, Value) -> Bool
  private var found: Result<Value, any Error>?
  private var readings: [PlainReading] = []
  /// Grows when an evaluation finds another result than the one before.
  private var changes = 0
  private var watched: Seen?

  init(
    _ system: PlainSystem, name: String, isDuplicate: @escaping (Value, Value) -> Bool,
    _ formula: @escaping () throws -> Value
  ) {
    self.formula = formula
    self.isDuplicate = isDuplicate
    super.init(system, name: name)
  }

  // MARK: Reading

  func get() throws -> Value {
    if system.isRefreshing(self) {
      // A node that got here on its way round the cycle has to look again when it is asked from elsewhere.
      system.noteReading(of: self) { [unowned self] in system.isBeingChecked(self) }
      throw ObservableError.cycle(system.namesOfCycle(from: self))
    }
    let result = refresh()
    let change = changes
    system.noteReading(of: self) { [unowned self] in
      // On the way round a cycle this value is as it was, unless a value outside of the cycle has changed.
      if system.isRefreshing(self) { return system.isBeingChecked(self) }
      let now = refresh()
      return changes == change || !differs(result, now)
    }
    return try result.get()
  }

  /// Evaluates if there was no evaluation yet, or if a value that the last one read has changed since.
  @discardableResult
  private func refresh() -> Result<Value, any Error> {
    system.refreshing.append(self)
    defer { system.refreshing.removeLast() }
    if let found, readings.allSatisfy({ $0.isCurrent() }) { return found }
    return evaluate()
  }

  private func evaluate() -> Result<Value, any Error> {
    guard let formula else {
      guard let found else { preconditionFailure("\(name) was closed before it was ever read") }
      return found
    }
    let (result, readings) = system.evaluate(self, formula)
    if found.map({ differs($0, result) }) ?? true {
      changes += 1
    }
    self.readings = readings
    found = result
    return result
  }

  /// Whether two results differ. Errors are the same only if their type can compare them.
  private func differs(_ old: Result<Value, any Error>, _ new: Result<Value, any Error>) -> Bool {
    switch (old, new) {
    case (.success(let old), .success(let new)): return !isDuplicate(old, new)
    case (.failure(let old as any Equatable), .failure(let new as any Equatable)):
      func isSame<Failure: Equatable>(_ old: Failure) -> Bool { new as? Failure == old }
      return !isSame(old)
    default: return true
    }
  }

  // MARK: Settling

  override func bringUp(_ visited: inout Set<ObjectIdentifier>) {
    guard visited.insert(ObjectIdentifier(self)).inserted else { return }
    for reading in readings { reading.node.bringUp(&visited) }
    if system.isAborted || subscriptions.isEmpty { return }
    system.unread { _ = refresh() }
    if subscriptions.contains(where: isNews) { system.enqueue(self) }
  }

  private func isNews(_ subscription: PlainSubscription<Value>) -> Bool {
    guard let found, subscription.told.change != changes else { return false }
    return subscription.told.found.map { differs($0, found) } ?? true
  }

  override func tell() {
    for subscription in subscriptions where subscription.isActive && isNews(subscription) {
      switch found {
      case .success(let value):
        subscription.told = (changes, found)
        system.guarding { try subscription.listener.handler?(value) }
        system.settle()
        if system.isAborted { return }
      case .failure(let error):
        // The transaction gets the error, in place of all listeners.
        for subscription in subscriptions { subscription.told = (changes, found) }
        return system.guarding { throw error }
      case nil: return
      }
    }
  }

  override func commit() {
    if let watched, watched.takeNews() { tellWatchers() }
  }

  override func remember() -> () -> Void {
    let old = (found, readings, changes)
    let told = subscriptions.map { ($0, $0.told) }
    let restoreWatched = watched?.remember()
    return { [weak self] in
      restoreWatched?()
      guard let self else { return }
      (found, readings, changes) = old
      for (subscription, told) in told { subscription.told = told }
    }
  }

  override func tearDown() {
    super.tearDown()
    watched = nil
    formula = nil
    readings = []
  }

  // MARK: Joining

  /// Evaluates for a listener that joins: without the value before it, a change could not be told.
  private func evaluateForJoining() { _ = system.unread(refresh) }

  func add(_ listener: PlainListener<Value>, replay: Bool) -> PlainSubscription<Value> {
    evaluateForJoining()
    let subscription = subscribe(listener)
    subscription.told = (changes, found)
    if replay, case .success(let value) = found { listener.replay(value) }
    return subscription
  }

  override func watch(_ watcher: any Watcher, tag: Int) {
    super.watch(watcher, tag: tag)
    if watched == nil { watched = Seen(self) }
  }

  override func memory() -> PlainMemory? { Seen(self) }

  /// The value of a computed that a combiner or a watcher saw last.
  private final class Seen: PlainMemory {
    unowned let computed: PlainComputed<Value>
    var seen: (change: Int, found: Result<Value, any Error>)

    init(_ computed: PlainComputed<Value>) {
      self.computed = computed
      computed.evaluateForJoining()
      guard let found = computed.found else { preconditionFailure("an evaluation of \(computed.name) found nothing") }
      seen = (computed.changes, found)
    }

    override func takeNews() -> Bool {
      let found = computed.system.unread(computed.refresh)
      let isNews = seen.change != computed.changes && computed.differs(seen.found, found)
      seen = (computed.changes, found)
      return isNews
    }

    override func remember() -> () -> Void {
      let old = seen
      return { self.seen = old }
    }
  }
}
