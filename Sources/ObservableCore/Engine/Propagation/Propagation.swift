// SPDX-License-Identifier: MIT
public import CRuntime
import Glibc

/// The transaction of one thread: the writes, the nodes that have to run, and the observers that have to be told.
///
/// A transaction is synchronous, so it belongs to the thread that runs it and nodes need not know it. Its phases:
/// - `idle`: no transaction; every list below is empty. Computeds that are read are brought up to date on the spot.
/// - `collecting`: a body runs; writes are stored, whether they are changes is undecided. No handler runs.
/// - `settling`: writes are changes at once. Pending nodes are settled, then the observers of one node are told, and so on.
/// - `restoring`: an undone transaction's computeds are computed again, and nobody is told.
///
/// Marking runs no user code. Settling does, so a pointer that was taken from the graph before is not trusted after it,
/// unless the node is known to be kept alive. A node that goes takes itself out of every list (`forget`).
@usableFromInline
final class Propagation {
  @usableFromInline enum Phase { case idle, collecting, settling, restoring }

  /// A node may run this often in one transaction before it is taken to be in a cycle that does not settle.
  static let maxRounds = 100

  /// The computed whose formula runs, which depends on whatever is read meanwhile.
  @exclusivity(unchecked) @usableFromInline var reader: NodePointer?
  /// The number of the reader's run.
  @exclusivity(unchecked) @usableFromInline var readerRun: UInt32 = 0
  @exclusivity(unchecked) var lastRun: UInt32 = 0
  /// The link to the node that the formula reads next, if it reads as in the run before; `nil` without a reader. Those
  /// before it have been used in this run.
  // Not beside `reader`: the two would be read as one where both were just stored, and wait for that (Decisions/0012).
  @exclusivity(unchecked) @usableFromInline var expectedLink: LinkPointer?
  /// Set while a formula runs something whose reads are not its inputs: it may not write all the same.
  @exclusivity(unchecked) @usableFromInline var isUntracked = false

  @exclusivity(unchecked) @usableFromInline var phase = Phase.idle
  @exclusivity(unchecked) @usableFromInline var policy = FailurePolicy.finish
  /// Set when a node ran too often: such a transaction has no state to settle on, so it stops and is undone.
  @exclusivity(unchecked) var isUnsettled = false

  /// Every node that was written, ran or changed, with the version it had before.
  @exclusivity(unchecked) var touched = PointerList<(node: NodePointer?, version: UInt32)>()
  /// How many of them are committed already.
  @exclusivity(unchecked) var committed = 0
  /// Changed in the body, not yet compared; with the version from before.
  @exclusivity(unchecked) var undecided = PointerList<(node: NodePointer?, version: UInt32)>()
  @exclusivity(unchecked) var pending = PointerList<NodePointer?>()
  @exclusivity(unchecked) var pendingHead = 0
  @exclusivity(unchecked) var deliveries = PointerList<NodePointer?>()
  @exclusivity(unchecked) var deliveryHead = 0
  /// The next entry of the node whose observers are being told.
  @exclusivity(unchecked) var deliveryCursor: SubscriberPlacePointer?
  /// Set when one of the following is not empty, most of which most transactions do without.
  @exclusivity(unchecked) var hasExtras = false
  @exclusivity(unchecked) var errors: [any Error] = []
  /// Closures that run before the transaction ends, once the code that asked for them is over.
  @exclusivity(unchecked) var followUps: [() -> Void] = []
  /// Subscriptions that were made, to be ended if the transaction is undone.
  @exclusivity(unchecked) var joined: [Subscription] = []
  /// Closures that put things right outside the graph when the transaction is over, if it was undone.
  @exclusivity(unchecked) var undoings: [() -> Void] = []

  /// Closures that act outside the graph when the steps of a transaction have passed; `nil` in one without steps.
  @exclusivity(unchecked) var effects: [() -> Void]?
  /// The check of the settled transaction before it ends; an error that it throws counts as a handler's.
  @exclusivity(unchecked) var check: (any TransactionCheck)?
  /// How many of the touched nodes' watchers were told for the check already.
  @exclusivity(unchecked) var told = 0
  /// Set when something was written since they were.
  @exclusivity(unchecked) var hasWrittenSinceTold = false

  /// The name of the transaction, for traces.
  @exclusivity(unchecked) var name = ""
  /// The node whose observers are being told, or whose handler runs: a write meanwhile happens because of it.
  @exclusivity(unchecked) var teller: NodePointer?
  /// The combiner whose handler runs.
  @exclusivity(unchecked) var runner: NodePointer?
  /// The traces that recorded something of the transaction.
  @exclusivity(unchecked) var traces: [Trace] = []

  /// The places where marking goes on when it comes to the end of a list.
  @exclusivity(unchecked) var marking = PointerList<SubscriberPlacePointer>()
  /// The nodes being settled, each an input of the one before it, with the link to go on with.
  @exclusivity(unchecked) var path = PointerList<(node: NodePointer, link: LinkPointer?)>()

  /// Links that were taken out: their memory, and the nodes that they keep alive, are let go of when nothing is being
  /// settled.
  @exclusivity(unchecked) var leavingLinks = PointerList<LinkPointer>()
  /// Subscriptions that were taken out, likewise.
  @exclusivity(unchecked) var leavingObjects = PointerList<Unmanaged<AnyObject>>()
  @exclusivity(unchecked) var isLettingGo = false
  /// Memory of links, to be used again.
  @exclusivity(unchecked) var spareLinks = PointerList<LinkPointer>()

  /// The owner of members that are made now. Not counted: the caller that enters a graph has it for as long.
  @exclusivity(unchecked) var enteredGraph: Unmanaged<Graph>?
  /// The error of the running formula, where code failed in it that cannot throw.
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

  /// The running thread's.
  ///
  /// Unmanaged, as counting a reference to it at each read would cost more than the read.
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

  /// The key whose destructor lets go of the propagation when its thread ends.
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

  /// Runs user code; its error is kept for the caller of the transaction.
  @inline(__always)
  func guarding(_ body: () throws -> Void) {
    do { try body() } catch { note(error) }
  }

  /// Keeps an error for the caller of the transaction. Outside every transaction there is none: an error of a formula
  /// stays with its computed, for its readers.
  @inline(never)
  func note(_ error: any Error) {
    if phase == .idle { return }
    errors.append(error)
    hasExtras = true
  }

  /// Runs user code that is no formula, though it may be reached from one.
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
