// SPDX-License-Identifier: MIT
import ObservableCore

/// A listener of the plain system.
final class PlainListener<Value>: PlainMember {
  var handler: ((Value) throws -> Void)?

  init(_ system: PlainSystem, _ handler: ((Value) throws -> Void)?) {
    self.handler = handler
    super.init(system)
  }

  func invoke(_ value: Value) throws {
    guard let handler else { return }
    try system.transaction(.finish) { try handler(value) }
  }

  func replay(_ value: Value) {
    if system.phase != .idle { return system.guarding { try handler?(value) } }
    do { try invoke(value) } catch { preconditionFailure("'\(error)' was thrown on subscribing outside a transaction") }
  }

  override func tearDown() { handler = nil }
}

/// A node that tells listeners, and watchers.
class PlainTeller<Value>: PlainNode {
  private(set) var subscriptions: [PlainSubscription<Value>] = []
  private var watchers: [(watcher: any Watcher, tag: Int)] = []

  func subscribe(_ listener: PlainListener<Value>) -> PlainSubscription<Value> {
    let subscription = PlainSubscription(listener) { [weak self] ended in
      self?.subscriptions.removeAll { $0 === ended }
    }
    subscriptions.append(subscription)
    system.joined(subscription)
    return subscription
  }

  func remove(_ listener: PlainListener<Value>) {
    for subscription in subscriptions where subscription.listener === listener { subscription.dispose() }
  }

  func watch(_ watcher: any Watcher, tag: Int) { watchers.append((watcher, tag)) }

  func tellWatchers() {
    for entry in watchers { entry.watcher.nodeDidChange(entry.tag) }
  }

  override func tearDown() {
    for subscription in subscriptions { subscription.isActive = false }
    subscriptions = []
    watchers = []
  }
}

/// A listener's place among the listeners of one node.
final class PlainSubscription<Value>: Disposable {
  let listener: PlainListener<Value>
  private let end: (PlainSubscription<Value>) -> Void
  var isActive = true
  /// Whether the listener has to be told something.
  var isNews = false
  /// The change of a computed, with its value, that the listener was told last, or found when it joined.
  var told: (change: Int, found: Result<Value, any Error>?) = (0, nil)

  init(_ listener: PlainListener<Value>, end: @escaping (PlainSubscription<Value>) -> Void) {
    self.listener = listener
    self.end = end
  }

  var isDisposed: Bool { !isActive }

  func dispose() {
    guard isActive else { return }
    isActive = false
    end(self)
  }
}
