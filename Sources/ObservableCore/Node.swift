// SPDX-License-Identifier: MIT

/// A place in the graph: what every observable and combiner is, apart from the type of its value.
///
/// A node knows who depends on it without keeping them alive, and keeps alive what it depends on (S0-21).
/// `version` rises by one with each change that passed the cut-off; whoever remembers the version they last saw
/// knows by comparing numbers whether they were notified since.
///
/// One thread at a time uses a graph, and no closure of the user's runs while a field is being changed, so the fields
/// here and in `Propagation` go without the runtime's exclusivity checks, which cost more than the work they guard.
public class Node: GraphMember {
  public let origin: Origin
  @exclusivity(unchecked) final var version: UInt64 = 0
  @exclusivity(unchecked) final var inputs: [Input] = []
  @exclusivity(unchecked) final var dependents: [Dependent] = []

  /// Set while the node may have to run in this transaction; cleared just before it does, or when nothing reached it.
  @exclusivity(unchecked) final var isPending = false
  /// Set from the pull of the node's inputs to the end of its run: a pull that meets it again has gone round a cycle.
  @exclusivity(unchecked) final var isInProgress = false
  /// Set while the transaction remembers the node's value from before.
  @exclusivity(unchecked) final var isTouched = false
  /// Set from a write in a transaction's body until settling decides whether it was a change.
  @exclusivity(unchecked) final var isUndecided = false
  /// Set when a write was decided before the body was over: who joined then has to be told of any later one.
  @exclusivity(unchecked) final var wasDecidedEarly = false
  /// Set while the node waits for its observers to be told.
  @exclusivity(unchecked) final var isAwaitingDelivery = false
  /// How often the node ran, or told its observers, in this transaction.
  @exclusivity(unchecked) final var turns = 0

  /// One input of a node: `base` is its version when it was combined, `seen` the one the last run took in.
  struct Input {
    let node: Node
    var base: UInt64
    var seen: UInt64
  }

  /// The other end of an `Input`. The dependent takes itself out before it goes, so this never dangles.
  struct Dependent {
    unowned(unsafe) let node: Node
  }

  init(_ origin: Origin) {
    self.origin = origin
    super.init()
  }

  deinit { detachInputs() }

  final func attach(_ input: Node) {
    input.decideEarly()
    inputs.append(Input(node: input, base: input.version, seen: input.version))
    input.dependents.append(Dependent(node: self))
  }

  /// Takes this node out of its inputs' dependents, and lets go of them after `body`. O(inputs x their dependents).
  ///
  /// - Parameter body: lets go of whatever else keeps them alive, so that theirs is the last end, and not within this one.
  final func detachInputs(_ body: () -> Void = {}) {
    guard !inputs.isEmpty else { return body() }
    let propagation = Propagation.current
    for input in inputs {
      if let index = input.node.dependents.firstIndex(where: { $0.node === self }) {
        input.node.dependents.remove(at: index)
      }
      propagation.leaving.append(input.node)
    }
    inputs = []
    body()
    propagation.letGo()
  }

  /// After an undo: whoever saw a version that never came to be has seen the one before it. O(dependents x their inputs).
  final func forgetUndoneVersions() {
    for dependent in dependents {
      for index in dependent.node.inputs.indices where dependent.node.inputs[index].node === self {
        dependent.node.inputs[index].seen = min(dependent.node.inputs[index].seen, version)
        dependent.node.inputs[index].base = min(dependent.node.inputs[index].base, version)
      }
    }
  }

  /// A write that is still undecided becomes a change now, or none, so that who joins does not see it (S0-9).
  final func decideEarly() {
    guard isUndecided else { return }
    Propagation.current.decide(self)
    wasDecidedEarly = true
  }

  // What only the typed subclass can do.

  /// Whether the present value differs from the one before the transaction.
  func hasChanged() -> Bool { false }
  /// Takes in the inputs; may run user code.
  func run(in propagation: Propagation) throws {}
  /// Tells the observers who have not seen this version; runs user code.
  func deliver(in propagation: Propagation) {}
  /// Forgets the value from before, having told the watchers if there was a change.
  func commit() {}
  /// Puts back the value from before, with `version` set back already, and tells nobody.
  func undo() {}
  /// Lets go of the value from before, or of the one undone.
  func forgetBefore() {}
}
