// SPDX-License-Identifier: MIT
import ObservableCore

/// A value that a handler writes when a declared input has changed.
final class PlainCombiner<Value>: PlainObservable<Value> {
  private let strategy: CombineStrategy
  private var handler: (() throws -> Value)?
  private var inputs: [Input] = []
  private var hasRun = false

  private final class Input {
    let node: PlainNode
    let memory: PlainMemory?
    /// Whether it has changed since the handler last ran.
    var isNews = false
    /// Whether it has changed since it was combined.
    var hasChanged = false

    init(_ node: PlainNode) {
      self.node = node
      memory = node.memory()
    }

    func change() {
      isNews = true
      hasChanged = true
    }
  }

  init(
    _ system: PlainSystem, _ strategy: CombineStrategy, _ value: Value, name: String,
    isDuplicate: @escaping (Value, Value) -> Bool
  ) {
    self.strategy = strategy
    super.init(system, value, name: name, isDuplicate: isDuplicate)
  }

  func weave(_ node: PlainNode) {
    node.decide()
    inputs.append(Input(node))
  }

  /// Sets the handler. It does not run for changes from before.
  func install(_ handler: @escaping () throws -> Value) {
    for input in inputs {
      _ = input.memory?.takeNews()
      input.isNews = false
    }
    self.handler = handler
  }

  override func noticeChange(of source: PlainNode) {
    for input in inputs where input.node === source { input.change() }
  }

  override func bringUp(_ visited: inout Set<ObjectIdentifier>) {
    guard visited.insert(ObjectIdentifier(self)).inserted else { return }
    for input in inputs { input.node.bringUp(&visited) }
    for input in inputs where input.memory?.takeNews() == true { input.change() }
    if system.isAborted { return }
    guard let handler, inputs.contains(where: { $0.isNews }) else { return }
    switch strategy {
    case .every: break
    case .first: if hasRun { return }
    case .all: if !inputs.allSatisfy({ $0.hasChanged }) { return }
    }
    for input in inputs { input.isNews = false }
    hasRun = true
    system.guarding {
      try system.count(self)
      settle(try system.unread(handler))
    }
  }

  override func remember() -> () -> Void {
    let restoreValue = super.remember()
    let restoreMemories = inputs.map { $0.memory?.remember() }
    let old = inputs.map { ($0.isNews, $0.hasChanged) }
    let ran = hasRun
    return { [weak self] in
      restoreValue()
      for restore in restoreMemories { restore?() }
      guard let self else { return }
      hasRun = ran
      for (index, input) in inputs.enumerated() {
        (input.isNews, input.hasChanged) = index < old.count ? old[index] : (false, false)
      }
    }
  }

  override func tearDown() {
    super.tearDown()
    inputs = []
    handler = nil
  }
}
