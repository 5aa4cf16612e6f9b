// SPDX-License-Identifier: MIT
import Synchronization

/// A record of what happened in a graph, newest last: the nodes that changed, with the values before and after, and why
/// (S0-D5).
///
/// A graph has one from ``Graph/startTracing(capacity:)`` on. It remembers the last records alone, so that it may run
/// for ever; while it is off, a node that changes pays for one test of a bit.
///
/// The values of a node that ``Node/isSecret`` are never kept.
public final class Trace {
  /// One thing that happened to one node.
  public struct Record {
    /// A kind of happening.
    public enum Outcome: String, Sendable {
      /// It was written, or a pulse was sent.
      case written
      /// Its formula or handler ran, and gave another value.
      case recomputed
      /// Its formula or handler ran, and the cut-off held its new value to be the same.
      case cut
      /// Its formula threw.
      case failed
      /// Its observers were told.
      case told
    }

    /// The reason why something happened.
    public enum Cause {
      /// The body of a transaction: its name, empty if it has none.
      case transaction(String)
      /// An input that changed, or the node whose observer or handler wrote.
      case node(Origin, ObjectIdentifier)
    }

    /// The number of the transaction, counted from 1 in this trace.
    public let transaction: Int
    /// The reason why it happened.
    public let cause: Cause
    /// The node's name and place.
    public let origin: Origin
    /// The node itself, which the record does not keep alive: once it has gone, another may have its identity.
    public let node: ObjectIdentifier
    /// The value before the transaction, or before the formula ran; `nil` where there was none.
    public let old: String?
    /// The value, or the error in its place, afterwards; `nil` where there is none.
    public let new: String?
    /// The kind of change.
    public let outcome: Outcome
    /// The time since tracing started.
    public let time: Duration
  }

  /// The number of records that are kept.
  public let capacity: Int
  /// A closure that is called after each transaction that the graph had a part in, with its records: for an inspector.
  ///
  /// It runs outside the transaction, and may write.
  public var transactionDidEnd: (([Record]) -> Void)?

  private var ring: [Record] = []
  private var oldest = 0
  private let start = ContinuousClock.now
  private var transaction = 0
  /// The records of the running transaction.
  private var recent: [Record] = []
  private var isInTransaction = false

  init(capacity: Int) {
    if capacity < 1 {
      stopProgram("a trace of \(capacity) records", expected: "one at least", remedy: "leave the capacity out")
    }
    self.capacity = capacity
    Self.living.add(1, ordering: .relaxed)
  }

  deinit { Self.living.subtract(1, ordering: .relaxed) }

  private static let living = Atomic<Int>(0)

  /// Whether there is any trace, of whatever graph: nothing need be named for one otherwise.
  package static var isAnyLiving: Bool { living.load(ordering: .relaxed) > 0 }

  /// The records, the oldest first. O(records).
  public var records: [Record] { Array(ring[oldest...] + ring[..<oldest]) }

  func add(
    _ node: Node, _ outcome: Record.Outcome, old: String?, new: String?, cause: Record.Cause,
    in propagation: Propagation
  ) {
    // A value that is computed on being read, outside every transaction, comes of the last one.
    if !isInTransaction, propagation.phase != .idle {
      isInTransaction = true
      transaction += 1
      propagation.traces.append(self)
      propagation.hasExtras = true
    }
    let record = Record(
      transaction: transaction, cause: cause, origin: node.origin, node: ObjectIdentifier(node), old: old, new: new,
      outcome: outcome, time: start.duration(to: .now))
    if ring.count < capacity {
      ring.append(record)
    } else {
      ring[oldest] = record
      oldest = (oldest + 1) % capacity
    }
    if transactionDidEnd != nil { recent.append(record) }
  }

  func endTransaction() {
    isInTransaction = false
    let ended = recent
    recent = []
    if !ended.isEmpty { transactionDidEnd?(ended) }
  }
}

extension Graph {
  /// Records the changes of the graph's nodes from here on, those made later included.
  ///
  /// - Parameter capacity: how many records are kept.
  /// - Returns: the trace, which is empty even if another was recorded before.
  @discardableResult
  public func startTracing(capacity: Int = 1_000) -> Trace {
    let started = Trace(capacity: capacity)
    trace = started
    for node in nodes { node.isTraced = true }
    return started
  }

  /// Ends the recording; the records stay with the holder of the trace.
  public func stopTracing() {
    trace = nil
    for node in nodes { node.isTraced = false }
  }
}
