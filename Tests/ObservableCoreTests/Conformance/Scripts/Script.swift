// SPDX-License-Identifier: MIT
import ObservableCore

/// A graph and the actions on it, as a value: it can be run on every system, shortened, and printed.
struct Script {
  enum Step {
    case act(Action)
    case batch(FailurePolicy, [Action], fails: Bool)
    /// A new listener of one node. The number of its making is its name.
    case listen(Int, Conduct, replay: Bool)
    /// Lets an old listener listen to one more node, or once more to the same.
    case listenAgain(Int, to: Int)
    case remove(Int, from: Int)
    /// Ends the subscription of this number.
    case dispose(Int)
    /// Lets go of the handle of a node. The node may live on as another's input.
    case drop(Int)
    case readAll
  }

  /// A step that can stand in the body of a batch as well.
  indirect enum Action {
    case write(Int, Int)
    /// Changes a source in place: adds 1 to 7, modulo 8.
    case change(Int, plus: Int)
    case read(Int)
    /// A transaction within; its error is caught.
    case batch([Action], fails: Bool)
  }

  /// The conduct of a listener that is told.
  enum Conduct {
    case record
    /// Reads another node as well.
    case look(at: Int)
    /// Throws at some values.
    case refuse
    /// Writes a source.
    case write(Int, plus: Int)
    /// Changes a source in place.
    case change(Int, plus: Int)
  }

  /// The part of a run that the semantics define, so that it has to be the same.
  enum Rigour {
    /// Everything: the values that each listener was told, and the number of runs of each formula.
    case all
    /// Everything but the number of evaluations of computeds while listeners write.
    case allButEvaluations
    /// The values at rest. The way there may depend on an order that is not defined.
    case rest
  }

  var blueprint: Blueprint
  var steps: [Step]
  var rigour: Rigour
}

extension Script {
  /// Whether the number of evaluations of computeds is defined in the step. While their inputs stay the same
  /// nodes, observed computeds are evaluated once, and others never. A computed that a body or a handler reads
  /// may be evaluated for that.
  func definesEvaluations(of step: Step) -> Bool {
    guard rigour == .all, blueprint.isStatic else { return false }
    for case .listen(_, .look, _) in steps { return false }
    let actions: [Action]
    switch step {
    case .act(let action): actions = [action]
    case .batch(_, let all, _): actions = all
    default: return false
    }
    return actions.allSatisfy { action in
      switch action {
      case .write, .change: true
      case .read, .batch: false
      }
    }
  }
}

extension Script: CustomStringConvertible {
  var description: String {
    let lines = steps.enumerated().map { "  \($0): \($1)" }.joined(separator: "\n")
    return "\(blueprint)\n\(lines)".replacing("ObservableCoreTests.Script.", with: "")
  }
}
