// SPDX-License-Identifier: MIT

/// The engine's record of a node. It is plain data inside the node's object, and is reached by pointer, so that
/// a walk through the graph counts no references.
///
/// A pointer to it is valid as long as the node lives. The node's `deinit` clears every list of the engine that
/// holds such a pointer.
@usableFromInline
struct NodeState {
  /// The dependents and observers of the node: a list by `next`. The `previous` of the first is the last.
  @usableFromInline var subscribers: SubscriberPlacePointer?
  /// The nodes on which it depends, in the order of reading or combining: a list by `nextInput`, made in the
  /// same way.
  var inputs: LinkPointer?
  /// The number of changes that passed the cut-off. Versions are compared for equality alone; see
  /// `Propagation.bump`.
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
  /// Its value holds no reference, so that an old one need not be released.
  @inlinable static var trivial: NodeFlags { NodeFlags(rawValue: 1 << 3) }

  /// Its values must not be shown.
  static var secret: NodeFlags { NodeFlags(rawValue: 1 << 24) }
  /// Its graph is traced.
  static var traced: NodeFlags { NodeFlags(rawValue: 1 << 4) }

  // The state of a value.
  /// An input may have changed since the node last read its inputs. A dependent of a stale node is stale too.
  @inlinable static var stale: NodeFlags { NodeFlags(rawValue: 1 << 5) }
  /// A computed that must run whether its inputs have changed or not: it never ran, or it saw a value that was
  /// undone.
  @inlinable static var dirty: NodeFlags { NodeFlags(rawValue: 1 << 6) }
  /// A node between the first look at its inputs and the end of its run. A walk that meets it again has gone
  /// round a cycle.
  @inlinable static var onPath: NodeFlags { NodeFlags(rawValue: 1 << 7) }
  /// A computed that has neither a value nor an error yet.
  @inlinable static var fresh: NodeFlags { NodeFlags(rawValue: 1 << 8) }
  /// A computed whose formula threw.
  @inlinable static var failed: NodeFlags { NodeFlags(rawValue: 1 << 9) }
  /// It has an observer or a watcher, so each transaction that reaches it settles it.
  static var observed: NodeFlags { NodeFlags(rawValue: 1 << 10) }
  /// It has a watcher.
  static var watched: NodeFlags { NodeFlags(rawValue: 1 << 11) }
  /// Its graph was closed, or it is going.
  @inlinable static var closed: NodeFlags { NodeFlags(rawValue: 1 << 12) }

  // The lists of the transaction that have the node.
  /// The transaction remembers its version from before.
  @inlinable static var touched: NodeFlags { NodeFlags(rawValue: 1 << 13) }
  /// The transaction remembers its value from before. It is set only with `touched`. Most computeds lack it, as
  /// they can compute the value again.
  @inlinable static var hasBefore: NodeFlags { NodeFlags(rawValue: 1 << 14) }
  /// It was written in the body; settling decides whether that was a change.
  static var undecided: NodeFlags { NodeFlags(rawValue: 1 << 15) }
  /// It was decided before the end of the body, because an observer joined that has to be told of any later
  /// write.
  static var decidedEarly: NodeFlags { NodeFlags(rawValue: 1 << 16) }
  /// It waits to be settled.
  static var pending: NodeFlags { NodeFlags(rawValue: 1 << 17) }
  /// Its observers wait to be told.
  static var queued: NodeFlags { NodeFlags(rawValue: 1 << 18) }

  // The running of a combiner.
  /// It has a handler.
  static var handled: NodeFlags { NodeFlags(rawValue: 1 << 19) }
  /// Its strategy is `first`.
  static var firstOnly: NodeFlags { NodeFlags(rawValue: 1 << 20) }
  /// Its strategy is `all`.
  static var afterAll: NodeFlags { NodeFlags(rawValue: 1 << 21) }

  /// Its strategy is `first`, and it has run.
  static var hasRun: NodeFlags { NodeFlags(rawValue: 1 << 22) }
  /// Its links remember how far its strategy had come before the transaction.
  static var keptStrategy: NodeFlags { NodeFlags(rawValue: 1 << 23) }

  // An observable that is no combiner has no handler, and uses the bit in another way.
  /// Its value follows one that is kept elsewhere.
  static var following: NodeFlags { .handled }

  // A computed has no strategy, and uses these bits in another way.
  /// It changed again after its observers were queued, or had an error. Whether there is news is decided when
  /// they are told.
  static var changedAgain: NodeFlags { .firstOnly }

  /// The flags that tell a plain stale computed from others: of these it has `computed` and `stale` alone.
  static var special: NodeFlags {
    [.computed, .stale, .dirty, .onPath, .fresh, .closed, .observed, .watched, .traced]
  }

  // When the body is over, all writes are decided, and the bit is free.
  /// Its watchers were told of it, for the transaction's check.
  static var toldForCheck: NodeFlags { .decidedEarly }

  static var listed: NodeFlags { [.touched, .undecided, .pending, .queued] }

  // The upper seven bits count the node's turns.
  static let oneTurn: UInt32 = 1 << 25
}

extension NodeFlags {
  /// The number of times that the node ran, or told its observers, in this transaction; at most 127.
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
