// SPDX-License-Identifier: MIT

/// The engine's record of a node: plain data inside the node's object, reached by pointer so that walking the graph
/// counts no references.
///
/// A pointer to it is good as long as the node lives, and every list of the engine that holds one is cleared of it by the
/// node's `deinit`.
@usableFromInline
struct NodeState {
  /// The dependents and observers of the node: a list by `next`, whose first has the last as its `previous`.
  @usableFromInline var subscribers: SubscriberPlacePointer?
  /// The nodes that it depends on, in the order of reading or combining: a list by `nextInput`, likewise.
  var inputs: LinkPointer?
  /// Rises by one with each change that passed the cut-off. Compared for equality alone: see `Propagation.bump`.
  @usableFromInline var version: UInt32 = 0
  @usableFromInline var flags: NodeFlags

  init(_ flags: NodeFlags) { self.flags = flags }
}

@usableFromInline typealias NodePointer = UnsafeMutablePointer<NodeState>

@usableFromInline
struct NodeFlags: OptionSet {
  @usableFromInline var rawValue: UInt32
  @inlinable init(rawValue: UInt32) { self.rawValue = rawValue }

  // Kinds of node.
  @inlinable static var computed: NodeFlags { NodeFlags(rawValue: 1 << 0) }
  @inlinable static var combiner: NodeFlags { NodeFlags(rawValue: 1 << 1) }
  @inlinable static var event: NodeFlags { NodeFlags(rawValue: 1 << 2) }
  /// Its value holds no reference, so that an old one need not be let go of.
  @inlinable static var trivial: NodeFlags { NodeFlags(rawValue: 1 << 3) }

  /// Its values must not be shown.
  static var secret: NodeFlags { NodeFlags(rawValue: 1 << 24) }
  /// Its graph is traced.
  static var traced: NodeFlags { NodeFlags(rawValue: 1 << 4) }

  // How it stands.
  /// An input may have changed since the node last took them in. A dependent of a stale node is stale as well.
  @inlinable static var stale: NodeFlags { NodeFlags(rawValue: 1 << 5) }
  /// A computed that must run whatever its inputs say: it never ran, or saw a value that was undone.
  @inlinable static var dirty: NodeFlags { NodeFlags(rawValue: 1 << 6) }
  /// A node between the first look at its inputs and the end of its run: a walk that meets it again has gone round a cycle.
  @inlinable static var onPath: NodeFlags { NodeFlags(rawValue: 1 << 7) }
  /// A computed that has neither a value nor an error yet.
  @inlinable static var fresh: NodeFlags { NodeFlags(rawValue: 1 << 8) }
  /// A computed whose formula threw.
  @inlinable static var failed: NodeFlags { NodeFlags(rawValue: 1 << 9) }
  /// It has an observer or a watcher, so that it is settled in each transaction that reaches it.
  static var observed: NodeFlags { NodeFlags(rawValue: 1 << 10) }
  /// It has a watcher.
  static var watched: NodeFlags { NodeFlags(rawValue: 1 << 11) }
  /// Its graph was closed, or it is going.
  @inlinable static var closed: NodeFlags { NodeFlags(rawValue: 1 << 12) }

  // In which lists of the transaction it is.
  /// Its version from before is remembered.
  @inlinable static var touched: NodeFlags { NodeFlags(rawValue: 1 << 13) }
  /// Its value from before is remembered: always with `touched`, but for most computeds, which compute it again.
  @inlinable static var hasBefore: NodeFlags { NodeFlags(rawValue: 1 << 14) }
  /// Changed in the body; settling decides whether that was a change.
  static var undecided: NodeFlags { NodeFlags(rawValue: 1 << 15) }
  /// Decided before the body was over, because an observer joined, which has to be told of any later write.
  static var decidedEarly: NodeFlags { NodeFlags(rawValue: 1 << 16) }
  /// Waits to be settled.
  static var pending: NodeFlags { NodeFlags(rawValue: 1 << 17) }
  /// Its observers wait to be told.
  static var queued: NodeFlags { NodeFlags(rawValue: 1 << 18) }

  // How a combiner runs.
  /// It has a handler.
  static var handled: NodeFlags { NodeFlags(rawValue: 1 << 19) }
  /// Its strategy is `first`.
  static var firstOnly: NodeFlags { NodeFlags(rawValue: 1 << 20) }
  /// Its strategy is `all`.
  static var afterAll: NodeFlags { NodeFlags(rawValue: 1 << 21) }

  /// Its strategy is `first`, and it has run.
  static var hasRun: NodeFlags { NodeFlags(rawValue: 1 << 22) }
  /// How far its strategy had come before the transaction is remembered, in its links.
  static var keptStrategy: NodeFlags { NodeFlags(rawValue: 1 << 23) }

  // An observable that is no combiner has no handler, and uses the bit for something else.
  /// Its value follows one that is kept elsewhere.
  static var following: NodeFlags { .handled }

  // A computed has no strategy, and uses these bits for something else.
  /// It changed again since its observers were to be told, or had an error: whether there is news is decided when they are.
  static var changedAgain: NodeFlags { .firstOnly }

  /// The flags of a computed, beside that of a value that may be stale.
  static var special: NodeFlags {
    [.computed, .stale, .dirty, .onPath, .fresh, .closed, .observed, .watched, .traced]
  }

  // When the body is over all is decided, and the bit is free.
  /// Its watchers were told of it for the transaction's check.
  static var toldForCheck: NodeFlags { .decidedEarly }

  static var listed: NodeFlags { [.touched, .undecided, .pending, .queued] }

  // The upper seven bits count the node's turns.
  static let oneTurn: UInt32 = 1 << 25
}

extension NodeFlags {
  /// How often the node ran, or told its observers, in this transaction; at most 127.
  var turns: Int { Int(rawValue >> 25) }
  mutating func countTurn() { if rawValue < 127 << 25 { rawValue += Self.oneTurn } }
  mutating func forgetTurns() { if rawValue >= Self.oneTurn { rawValue &= Self.oneTurn - 1 } }
}

extension UnsafeMutablePointer<NodeState> {
  /// The place of the state in its object.
  @inlinable static var offset: Int { 32 }

  /// The node whose state this is.
  @inlinable @inline(__always)
  var object: Unmanaged<Node> {
    Unmanaged.fromOpaque(UnsafeRawPointer(self) - Self.offset)
  }

  @inlinable @inline(__always)
  func has(_ flags: NodeFlags) -> Bool { !pointee.flags.isDisjoint(with: flags) }
}
