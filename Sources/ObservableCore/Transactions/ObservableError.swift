// SPDX-License-Identifier: MIT

/// An error of the observables themselves, and not of a handler.
public enum ObservableError: Error, CustomStringConvertible {
  /// The named nodes or observers kept changing each other: a cycle that no cut-off stops (S0-22).
  case unsettled(_ nodes: [String], rounds: Int)
  /// The named computeds need each other's value to compute their own.
  case cycle(_ nodes: [String])
  /// A formula of a computed tried to write the named observable.
  case writeInFormula(_ node: String)
  /// The named computed has no value: its graph was closed before its formula first ran, or the formula had to run
  /// after the owner of the computed had gone.
  case closed(_ node: String)
  /// The named command refused an input whose outcome the caller waits for.
  case refused(_ command: String, CommandRefusal)
  /// The operation of the named command is an async method that would leave its actor.
  case leavesItsActor(_ command: String)
  /// A binding without a model was to write at the named key path.
  case noModel(_ keyPath: String)
  /// Several handlers threw, in this order.
  case several([any Error])

  public var description: String {
    switch self {
    case .unsettled(let nodes, let rounds):
      """
      did not settle in \(rounds) rounds: \(nodes.joined(separator: " -> ")) keep changing each other; \
      expected every cycle to come to values that its cut-offs hold to be equal
      """
    case .cycle(let nodes):
      """
      a cycle of computeds: \(nodes.joined(separator: " reads ")) reads \(nodes.first ?? "itself"); \
      expected formulas that do not need their own value
      """
    case .writeInFormula(let node):
      """
      the formula of a computed wrote \(node); expected it only to read: \
      write from an observer or an action, or use a combiner
      """
    case .closed(let node): "\(node) was never read before its graph was closed; expected it to have a value"
    case .refused(let command, let refusal): "\(command) did not run: \(refusal)"
    case .leavesItsActor(let command):
      """
      the command '\(command)' is of an async method that leaves its session; expected one that stays in it: \
      add .enableUpcomingFeature("NonisolatedNonsendingByDefault") to the swiftSettings of the target, or write \
      'nonisolated(nonsending)' before 'func'
      """
    case .noModel(let keyPath): "\(keyPath) was to be updated, but the binding has no model; expected one to be set"
    case .several(let errors): errors.map { String(describing: $0) }.joined(separator: "; ")
    }
  }
}

/// The reason why a command did not take an input.
public enum CommandRefusal: Sendable, Hashable, CustomStringConvertible {
  /// The observable that is its condition is false.
  case disabled
  /// A run is executing, and the policy is `.refuse` (S1-3).
  case executing
  /// The queue is full: as many inputs wait as the policy allows.
  case queueFull(limit: Int)
  /// Its graph was closed.
  case closed

  public var description: String {
    switch self {
    case .disabled: "its condition is false"
    case .executing: "it is executing, and its policy is to refuse"
    case .queueFull(let limit): "\(limit) inputs wait already"
    case .closed: "its graph was closed"
    }
  }
}
