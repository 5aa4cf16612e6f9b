// SPDX-License-Identifier: MIT
import Synchronization

/// A record of the events in a graph, the newest last: the nodes that changed, their values before and after,
/// and the reasons (S0-D5).
///
/// A graph has one from ``Graph/startTracing(capacity:)`` on. It keeps the last records alone, so it may run
/// for ever. While it is off, a node that changes pays for one test of a bit.
///
/// The values of a node with ``Node/isSecret`` are never kept.
public final class Trace {
  /// One event of one node.
  public struct Record {
    /// The kind of an event.
    public enum Outcome: String, Sendable {
      /// It was written, or a pulse was sent.
      case written
      /// Its formula or handler ran, and gave another value.
      case recomputed
      /// Its formula or handler ran, and the cut-off called its new value equal.
      case cut
      /// Its formula threw.
      case failed
      /// Its observers were told.
      case told
    }

    /// The reason for an event.
    public enum Cause {
      /// The body of a transaction: its name, empty if it has none.
      case transaction(String)
      /// An input that changed, or the node whose observer or handler wrote.
      case node(Origin, ObjectIdentifier)
    }

    /// The number of the transaction, counted from 1 in this trace.
    public let transaction: Int
    /// The reason for the event.
    public let cause: Cause
    /// The node's name and place.
    public let origin: Origin
    /// The identity of the node. The record does not keep the node alive; once it has gone, another may have
    /// its identity.
    public let node: ObjectIdentifier
    /// The value before the transaction, or before the formula ran; `nil` where there was none.
    public let old: String?
    /// The value, or the error in its place, afterwards; `nil` where there is none.
    public let new: String?
    /// The kind of the event.
    public let outcome: Outcome
    /// The time since tracing started.
    public let time: Duration
  }

  /// The number of records that are kept.
  public let capacity: Int
  /// Called after each transaction that has records of the graph, with these records, for an inspector.
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

  /// Whether any graph has a trace. If not, transactions need no names.
  package static var isAnyLiving: Bool { living.load(ordering: .relaxed) > 0 }

  /// The records, the oldest first. O(records).
  public var records: [Record] { Array(ring[oldest...] + ring[..<oldest]) }

  func add(
    _ node: Node, _ outcome: Record.Outcome, old: String?, new: String?, cause: Record.Cause,
    in propagation: Propagation
  ) {
    // A value that is computed when it is read, outside every transaction, belongs to the last one.
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
  /// Records the changes of the graph's nodes from here on, and those of later nodes too.
  ///
  /// - Parameter capacity: the most records that are kept.
  /// - Returns: the trace. It is empty, even if there was another one before.
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
