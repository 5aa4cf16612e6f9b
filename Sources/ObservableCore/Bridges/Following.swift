// SPDX-License-Identifier: MIT

/// The following of a sequence by an observer (``Observer/follow(_:name:isolation:onError:file:line:)``).
///
/// It ends with the sequence, as the observer goes, when the graph is closed, or by ``dispose()``. In a session, where
/// elements come faster than there is time for them, they wait in the sequence.
public class Following: GraphMember, Disposable {
  private let lastError: Observable<(any Error)?>
  /// Gets the errors; `nil` if the caller takes none.
  private var errorObserver: Observer<any Error>?
  private let place: String
  private var task: Task<Void, Never>?
  /// The loop's wait for time; `nil` while it does not wait.
  private var wait: CheckedContinuation<Void, Never>?
  /// Whether it has ended.
  public private(set) var isDisposed = false

  init(_ origin: Origin, _ lastError: Observable<(any Error)?>, _ onError: ((any Error) -> Void)?) {
    self.lastError = lastError
    errorObserver = onError.map { Observer($0) }
    place = "following \(origin)"
    super.init()
  }

  /// The error of the last element, or the one that ended the sequence; `nil` if the last element was taken.
  public var error: ObservableValue<(any Error)?> { lastError }

  final func begin(on actor: any Actor) {
    if isDisposed { return }
    let way = WayIntoActor(self)
    task = Task { await way.follow(on: actor) }
  }

  /// Takes the elements, one after the other.
  func follow(on actor: isolated any Actor) async { stopProgram(bug: "\(Self.self) does not follow") }

  /// Waits until the graph's host lets the next element act. It does not wait in a graph without a host.
  final func waitForTime(on actor: isolated any Actor) async {
    while !isDisposed, let host = graph?.host, !host.admit(place, orLater: { [weak self] in self?.goOn() }) {
      await withCheckedContinuation { wait = $0 }
    }
  }

  private func goOn() {
    wait?.resume()
    wait = nil
  }

  /// Runs code for an element, in the graph.
  final func take(_ body: () throws -> Void) {
    entering {
      do {
        try body()
        if lastError.value != nil { try lastError.set(nil) }
      } catch { fail(error) }
    }
  }

  /// Tells an error. Without `onError:` the host is told the first one only, until an element is taken again.
  final func fail(_ error: any Error) {
    if isDisposed { return }
    entering {
      if let errorObserver {
        do { try errorObserver.invoke(error) } catch { report(error, "'onError:' of \(place)") }
      } else if lastError.value == nil {
        report(error, place)
      }
      do { try lastError.set(error) } catch { report(error, "an observer of the error of \(place)") }
    }
  }

  private func report(_ error: any Error, _ place: String) {
    if hostTakes(error, of: place, in: graph) { return }
    stopProgram(
      "\(place) threw '\(error)'", expected: "no error without 'onError:'",
      remedy: "give 'onError:', or catch it in the handler")
  }

  private func entering(_ body: () -> Void) { if let graph { graph.enter(body) } else { body() } }

  /// Ends it, and releases the sequence.
  public func dispose() {
    isDisposed = true
    task?.cancel()
    task = nil
    errorObserver = nil
    goOn()
  }

  override func tearDown() { dispose() }
}

/// The following of a sequence of some type. Its task keeps it alive.
final class FollowingLoop<Elements: AsyncSequence & SendableMetatype>: Following {
  private weak var observer: Observer<Elements.Element>?
  /// `nil` once it has ended.
  private var elements: Elements?

  init(
    _ elements: Elements, by observer: Observer<Elements.Element>, _ origin: Origin,
    _ lastError: Observable<(any Error)?>, _ onError: ((any Error) -> Void)?
  ) {
    (self.observer, self.elements) = (observer, elements)
    super.init(origin, lastError, onError)
  }

  override func follow(on actor: isolated any Actor) async {
    defer { dispose() }
    guard var elements = elements?.makeAsyncIterator() else { return }
    do {
      while let element = try await elements.next(isolation: actor) {
        await waitForTime(on: actor)
        guard !isDisposed, let observer else {
          dispose()
          // In a task that is cancelled a sequence ends. One that somebody else holds as well learns of the end so.
          _ = try await elements.next(isolation: actor)
          return
        }
        take { try observer.invoke(element) }
      }
    } catch { fail(error) }
  }

  override func dispose() {
    elements = nil
    super.dispose()
  }
}

/// The way of a following into its actor, where the following is also released: as a member it leaves its graph
/// then.
// @unchecked Sendable: its contents are touched before the task begins, and then on the actor alone.
private final class WayIntoActor: @unchecked Sendable {
  private var following: Following?

  init(_ following: Following) { self.following = following }

  func follow(on actor: isolated any Actor) async {
    let following = following
    self.following = nil
    await following?.follow(on: actor)
  }
}
