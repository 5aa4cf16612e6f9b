// SPDX-License-Identifier: MIT
import ObservableCore

/// A value that can be written.
class PlainObservable<Value>: PlainTeller<Value> {
  private(set) var current: Value
  /// Grows with each write, and never shrinks.
  private var writes = 0
  /// The writes of a transaction's body that turned out to be no changes.
  private var takenBack: [Range<Int>] = []
  let isDuplicate: (Value, Value) -> Bool

  // Used within a transaction only.

  private var before: Value?
  private var writesBefore = 0
  /// The value that the dependent nodes have heard of, or would have if the cut-off had let it through.
  private var announced: Value?
  private var writesAnnounced = 0
  private var isUndecided = false

  init(_ system: PlainSystem, _ value: Value, name: String, isDuplicate: @escaping (Value, Value) -> Bool) {
    current = value
    self.isDuplicate = isDuplicate
    super.init(system, name: name)
  }

  func get() -> Value {
    let (read, writesRead) = (current, writes)
    system.noteReading(of: self) { [unowned self] in
      if writes == writesRead { return true }
      return !takenBack.contains { $0.contains(writesRead) } && isDuplicate(read, current)
    }
    return current
  }

  func set(_ value: Value) throws {
    if system.isInFormula { throw ObservableError.writeInFormula(name) }
    switch system.phase {
    case .idle:
      if isDuplicate(current, value) { return }
      try system.transaction(.finish) { try set(value) }
    case .collecting:
      if isDuplicate(current, value) { return }
      write(value)
      system.undecided.append(self)
      let isFirst = !isUndecided
      isUndecided = true
      if !isFirst, let announced, isDuplicate(announced, current) { decide() }
    case .settling: settle(value)
    }
  }

  /// Writes a changed copy.
  func change(_ body: (inout Value) -> Void) throws {
    var value = current
    body(&value)
    try set(value)
  }

  /// Makes a write after the body a change at once, or none.
  func settle(_ value: Value) {
    if isDuplicate(current, value) { return }
    write(value)
    announce()
  }

  private func write(_ value: Value) {
    current = value
    writes += 1
  }

  /// Decides on the writes. A listener that joins in the body needs it too: the writes so far are no news to it.
  override func decide() {
    guard isUndecided else { return }
    isUndecided = false
    guard let announced, isDuplicate(announced, current) else { return announce() }
    // An equal value need not be the same, so the announced one is put back.
    takenBack.append(writesAnnounced + 1..<writes + 1)
    write(announced)
    writesAnnounced = writes
  }

  private func announce() {
    announced = current
    writesAnnounced = writes
    for subscription in subscriptions { subscription.isNews = true }
    for node in system.living { node.noticeChange(of: self) }
    system.hasNews = true
    system.enqueue(self)
  }

  override func tell() {
    for subscription in subscriptions where subscription.isActive && subscription.isNews {
      subscription.isNews = false
      system.guarding { try subscription.listener.handler?(current) }
      system.settle()
      if system.isAborted { return }
    }
  }

  override func remember() -> () -> Void {
    before = current
    announced = current
    (writesBefore, writesAnnounced) = (writes, writes)
    let (value, news) = (current, subscriptions.map { ($0, $0.isNews) })
    return { [weak self] in
      guard let self else { return }
      current = value
      isUndecided = false
      for (subscription, isNews) in news { subscription.isNews = isNews }
    }
  }

  override func commit() {
    if let before, writes != writesBefore, !isDuplicate(before, current) { tellWatchers() }
  }

  override func forget() {
    before = nil
    announced = nil
  }

  func add(_ listener: PlainListener<Value>, replay: Bool) -> PlainSubscription<Value> {
    decide()
    let subscription = subscribe(listener)
    if replay { listener.replay(current) }
    return subscription
  }
}
