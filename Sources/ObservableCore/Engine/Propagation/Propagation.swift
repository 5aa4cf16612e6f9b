// SPDX-License-Identifier: MIT
public import CRuntime
import Glibc

/// The transaction of one thread: the writes, the nodes that have to run, and the observers that have to be told.
///
/// A transaction is synchronous. So it belongs to the thread that runs it, and nodes need not know it. Its
/// phases:
/// - `idle`: no transaction; every list below is empty. A computed that is read is brought up to date on the
///   spot.
/// - `collecting`: a body runs. Writes are stored, and not yet decided. No handler runs.
/// - `settling`: writes are changes at once. Pending nodes are settled, then the observers of one node are
///   told, and so on.
/// - `restoring`: the computeds of an undone transaction are computed again, and no observer is told.
///
/// Marking runs no user code. Settling does, so a pointer that was taken from the graph before it is not
/// trusted after it, unless the node is known to be kept alive. A node that ends removes itself from every list
/// (`forget`).
@usableFromInline
final class Propagation {
  @usableFromInline enum Phase { case idle, collecting, settling, restoring }

  /// The most turns of a node in one transaction. A node with more of them is taken to be in a cycle that does
  /// not settle.
  static let maxRounds = 100

  /// The computed whose formula is running. It depends on all nodes that are read meanwhile.
  @exclusivity(unchecked) @usableFromInline var reader: NodePointer?
  /// The number of the reader's run: one more than that of its last run, as its links have it.
  @exclusivity(unchecked) @usableFromInline var readerRun: UInt32 = 0
  /// The link to the node that the formula reads next, if it reads as in the run before; `nil` without a
  /// reader. The links before it have been used in this run.
  // It does not lie beside `reader`: the processor would read both at once after both were just stored, and
  // wait for the stores (Decisions/0012).
  @exclusivity(unchecked) @usableFromInline var expectedLink: LinkPointer?
  /// Set while a formula runs code whose reads are not its inputs; that code may not write either.
  @exclusivity(unchecked) @usableFromInline var isUntracked = false

  @exclusivity(unchecked) @usableFromInline var phase = Phase.idle
  @exclusivity(unchecked) @usableFromInline var policy = FailurePolicy.finish
  /// Set when a node had too many turns. Such a transaction has no state on which it could settle, so it stops
  /// and is undone.
  @exclusivity(unchecked) var isUnsettled = false

  /// Every node that was written, ran or changed, with the version it had before.
  @exclusivity(unchecked) var touched = PointerList<(node: NodePointer?, version: UInt32)>()
  /// The number of touched nodes that are committed already.
  @exclusivity(unchecked) var committed = 0
  /// The nodes that were written in the body and are not yet decided, with their versions from before.
  @exclusivity(unchecked) var undecided = PointerList<(node: NodePointer?, version: UInt32)>()
  @exclusivity(unchecked) var pending = PointerList<NodePointer?>()
  @exclusivity(unchecked) var pendingHead = 0
  @exclusivity(unchecked) var deliveries = PointerList<NodePointer?>()
  @exclusivity(unchecked) var deliveryHead = 0
  /// The next entry to be told, of the node whose observers are being told.
  @exclusivity(unchecked) var deliveryCursor: SubscriberPlacePointer?
  /// Set when one of the following is not empty: most transactions need none of them.
  @exclusivity(unchecked) var hasExtras = false
  @exclusivity(unchecked) var errors: [any Error] = []
  /// Closures that run before the transaction ends, once the code that asked for them is over.
  @exclusivity(unchecked) var followUps: [() -> Void] = []
  /// Subscriptions that were made in the transaction; they end if it is undone.
  @exclusivity(unchecked) var joined: [Subscription] = []
  /// Closures that correct things outside the graph after the transaction, if it was undone.
  @exclusivity(unchecked) var undoings: [() -> Void] = []

  /// Closures that act outside the graph when the steps of a transaction have passed; `nil` in a transaction
  /// without steps.
  @exclusivity(unchecked) var effects: [() -> Void]?
  /// The check of the settled transaction before it ends. An error that it throws counts as a handler's.
  @exclusivity(unchecked) var check: (any TransactionCheck)?
  /// The number of touched nodes whose watchers were told for the check.
  @exclusivity(unchecked) var told = 0
  /// Set when code has written since then.
  @exclusivity(unchecked) var hasWrittenSinceTold = false

  /// The name of the transaction, for traces.
  @exclusivity(unchecked) var name = ""
  /// The node whose observers are being told, or whose handler runs: it is the cause of a write meanwhile.
  @exclusivity(unchecked) var teller: NodePointer?
  /// The combiner whose handler is running.
  @exclusivity(unchecked) var runner: NodePointer?
  /// The traces that have records of the transaction.
  @exclusivity(unchecked) var traces: [Trace] = []

  /// The places where marking goes on at the end of a list.
  @exclusivity(unchecked) var marking = PointerList<SubscriberPlacePointer>()
  /// The nodes that are being settled, each an input of the one before it, with the link at which it goes on.
  @exclusivity(unchecked) var path = PointerList<(node: NodePointer, link: LinkPointer?)>()

  /// Links that were removed. Their memory, and the nodes that they keep alive, are released when nothing is
  /// being settled.
  @exclusivity(unchecked) var leavingLinks = PointerList<LinkPointer>()
  /// Subscriptions and other objects that were removed; they are released in the same way.
  @exclusivity(unchecked) var leavingObjects = PointerList<Unmanaged<AnyObject>>()
  @exclusivity(unchecked) var isLettingGo = false
  /// Memory of links that can be used again.
  @exclusivity(unchecked) var spareLinks = PointerList<LinkPointer>()

  /// The owner of new members. It is not counted: the caller that enters a graph keeps it alive.
  @exclusivity(unchecked) var enteredGraph: Unmanaged<Graph>?
  /// The error of the running formula, if code in it failed that cannot throw.
  @exclusivity(unchecked) var formulaFailure: (any Error)?

  init() {}

  deinit {
    touched.deallocate()
    undecided.deallocate()
    pending.deallocate()
    deliveries.deallocate()
    marking.deallocate()
    path.deallocate()
    leavingLinks.deallocate()
    leavingObjects.deallocate()
    while let link = spareLinks.popLast() { link.deallocate() }
    spareLinks.deallocate()
  }

  /// The propagation of the running thread.
  ///
  /// It is unmanaged: counting a reference to it at each read would cost more than the read.
  @inlinable @inline(__always)
  static var current: Unmanaged<Propagation> {
    if let slot = euripus_thread_slot() { return Unmanaged.fromOpaque(slot) }
    return make()
  }

  @usableFromInline @inline(never)
  static func make() -> Unmanaged<Propagation> {
    let made = Unmanaged.passRetained(Propagation())
    euripus_set_thread_slot(made.toOpaque())
    pthread_setspecific(threadKey, made.toOpaque())
    return made
  }

  /// The key whose destructor releases the propagation when its thread ends.
  private static let threadKey: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key) { pointer in
      euripus_set_thread_slot(nil)
      if let pointer { Unmanaged<Propagation>.fromOpaque(pointer).release() }
    }
    precondition(status == 0, "pthread_key_create failed with \(status): the process has no thread key left")
    return key
  }()

  /// Whether an error stops the rest of the transaction.
  var isAborted: Bool { isUnsettled || policy == .undo && !errors.isEmpty }

  /// Runs user code, and keeps its error for the caller of the transaction.
  @inline(__always)
  func guarding(_ body: () throws -> Void) {
    do { try body() } catch { note(error) }
  }

  /// Keeps an error for the caller of the transaction. Outside every transaction it does nothing: the error of
  /// a formula stays with its computed, for its readers.
  @inline(never)
  func note(_ error: any Error) {
    if phase == .idle { return }
    errors.append(error)
    hasExtras = true
  }

  /// Runs user code that is no formula, even if a formula reached it.
  @inline(__always)
  func outsideFormulas<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard mustNotWrite else { return try body() }
    let outer = (reader, expectedLink, readerRun, isUntracked)
    (reader, expectedLink, isUntracked) = (nil, nil, false)
    defer { (reader, expectedLink, readerRun, isUntracked) = outer }
    return try body()
  }

  /// Runs `body` of a formula so that its reads are no inputs.
  func untracked<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard reader != nil else { return try body() }
    let outer = (reader, expectedLink, readerRun, isUntracked)
    (reader, expectedLink, isUntracked) = (nil, nil, true)
    defer { (reader, expectedLink, readerRun, isUntracked) = outer }
    return try body()
  }

  /// Runs `body` with a graph as the owner of the nodes that it makes.
  @inline(__always)
  func within<Result>(_ graph: Graph, _ body: () throws -> Result) rethrows -> Result {
    let outer = enteredGraph
    enteredGraph = .passUnretained(graph)
    defer { withExtendedLifetime(graph) { enteredGraph = outer } }
    return try body()
  }

  /// Whether a formula runs.
  @inlinable var mustNotWrite: Bool { reader != nil || isUntracked }
}

/// The running thread's propagation, for the length of a call.
@inlinable @inline(__always)
func withPropagation<Result>(_ body: (Propagation) throws -> Result) rethrows -> Result {
  try Propagation.current._withUnsafeGuaranteedRef(body)
}
