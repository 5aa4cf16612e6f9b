// SPDX-License-Identifier: MIT

extension Observer {
  /// Invokes the observer with each element of `elements`, on the actor that uses its graph. So a view model
  /// follows values outside its session.
  ///
  /// ```swift
  /// storeDidChange.handle(self) { me, library in me.library.value = library }
  /// storeDidChange.follow(store.libraries)
  /// ```
  ///
  /// It begins as soon as that actor is known, which for a hosted view model is right after it was made. Each
  /// element is one transaction. It goes on until the sequence ends, the graph is closed, or the returned
  /// handle is disposed of. If the observer has gone, the next element ends it.
  ///
  /// - Parameters:
  ///   - isolation: the actor where it follows: that of the caller, or else that of the observer's graph.
  ///   - onError: gets the error of the handler, or of the observers that its writes reached. Without it such
  ///     an error is a programming error and ends the process.
  /// - Returns: a handle that ends the following.
  @discardableResult
  public func follow<Elements: AsyncSequence & SendableMetatype>(
    _ elements: Elements, isolation: (any Actor)? = #isolation, onError: ((any Error) -> Void)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable where Elements.Element == Value, Elements.Failure == Never {
    let make = {
      Following(self, elements) { error in
        if let onError { return onError(error) }
        stopProgram(
          "an observer that follows a sequence threw '\(error)'", expected: "no error without 'onError:'",
          remedy: "give 'onError:', or catch it in the handler", file: file, line: line)
      }
    }
    // A member of the observer's graph, whichever graph is entered: it ends with the observer's graph.
    let following = graph.map { $0.enter(make) } ?? make()
    if graph?.isClosed == true {
      following.dispose()
    } else if let isolation = isolation ?? graph?.isolation {
      following.begin(on: isolation)
    } else if let graph {
      graph.whenIsolated.append { following.begin(on: $0) }
    } else {
      // A programming error: there is no actor, and no graph that could get one.
      stopProgram(
        "an observer follows a sequence outside every actor",
        expected: "the caller to be on one, or the observer to belong to a graph",
        remedy: "follow in a view model's 'init', or in a function of an actor", file: file, line: line)
    }
    return following
  }
}

/// A loop over a sequence, in the isolation of the observer that it invokes. Its task keeps it alive.
private final class Following<Elements: AsyncSequence & SendableMetatype>: GraphMember, Disposable
where Elements.Failure == Never {
  private weak var observer: Observer<Elements.Element>?
  /// `nil` once it has ended.
  private var elements: Elements?
  private var fail: (any Error) -> Void
  private var task: Task<Void, Never>?

  init(_ observer: Observer<Elements.Element>, _ elements: Elements, _ fail: @escaping (any Error) -> Void) {
    self.observer = observer
    self.elements = elements
    self.fail = fail
    super.init()
  }

  func begin(on actor: any Actor) {
    if isDisposed { return }
    let way = WayIntoActor(self)
    task = Task { await way.follow(on: actor) }
  }

  fileprivate func follow(on actor: isolated any Actor) async {
    defer { dispose() }
    guard var elements = elements?.makeAsyncIterator() else { return }
    while let element = await elements.next(isolation: actor), !isDisposed, let observer {
      do {
        if let graph { try graph.enter { try observer.invoke(element) } } else { try observer.invoke(element) }
      } catch { fail(error) }
    }
  }

  var isDisposed: Bool { elements == nil }

  func dispose() {
    elements = nil
    task?.cancel()
    task = nil
    fail = { _ in }
  }

  override func tearDown() { dispose() }
}

/// The way of a following into its actor, where the following is also released: as a member it leaves its graph
/// then.
// @unchecked Sendable: its contents are touched before the task begins, and then on the actor alone.
private final class WayIntoActor<Elements: AsyncSequence & SendableMetatype>: @unchecked Sendable
where Elements.Failure == Never {
  private var following: Following<Elements>?

  init(_ following: Following<Elements>) { self.following = following }

  func follow(on actor: isolated any Actor) async {
    let following = following
    self.following = nil
    await following?.follow(on: actor)
  }
}
