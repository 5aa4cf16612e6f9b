// SPDX-License-Identifier: MIT
public import ObservableCore

/// The observer of one subscription, as the source sees it: it keeps the order of events and knows when they end.
///
/// A source may send at any moment, from within a delivery too. An event after the end is ignored. A source that
/// produces much at once may look at ``isDisposed`` and stop early.
///
/// - Invariant: the handler is `nil` if and only if the subscription was ended; then the queue is empty and the
///   resource was disposed of, or will be as soon as it is attached. The end of `other` ends this: at once if it has
///   the handle, otherwise, while the source is being subscribed, as soon as anyone looks.
public final class Subscriber<Element>: EventObserver, Disposable {
  private var handler: ((EventSequence<Element>.Event) -> Void)?
  private var resource: (any Disposable)?
  /// The disposable whose end ends this subscription.
  private var other: (any Disposable)?
  private var queue = EventQueue<EventSequence<Element>.Event>()
  /// Set by the terminal event that is accepted, delivered or not, and by the end; never cleared.
  private var isClosed = false
  /// Set while the handler runs; the call that set it delivers the events that are queued meanwhile.
  private var isDelivering = false

  init(endingWith other: (any Disposable)?, _ handler: @escaping (EventSequence<Element>.Event) -> Void) {
    self.other = other
    self.handler = handler
  }

  deinit { resource?.dispose() }

  /// Whether the subscription has ended. Events that are sent then are ignored.
  public var isDisposed: Bool { handler == nil || other?.isDisposed == true }

  /// Delivers an event, after those that came before it.
  public func on(_ event: EventSequence<Element>.Event) {
    on(CollectionOfOne(event))
  }

  /// Delivers several events, with nothing between them.
  func on(_ events: some Sequence<EventSequence<Element>.Event>) {
    for event in events where !isClosed {
      isClosed = event.isTerminal
      queue.append(event)
    }
    guard !isDelivering else { return }
    isDelivering = true
    while let event = queue.next() {
      if !isDisposed { handler?(event) }
      if event.isTerminal { end() }
    }
    isDelivering = false
  }

  /// Ends the subscription without an event.
  public func dispose() {
    isClosed = true
    end()
  }

  /// Runs user code. An error that it throws ends the sequence.
  func attempt(_ body: () throws -> Void) {
    do { try body() } catch { onError(error) }
  }

  /// Keeps the handle that stops the source until the subscription ends.
  func attach(_ resource: (any Disposable)?) {
    if !isDisposed {
      self.resource = resource
    } else {
      end()
      resource?.dispose()
    }
  }

  /// Lets go of everything; the source is stopped last, as that runs user code.
  private func end() {
    let (spentHandler, spentResource) = (handler, resource)
    handler = nil
    resource = nil
    other = nil
    queue.removeAll()
    spentResource?.dispose()
    withExtendedLifetime(spentHandler) {}
  }
}
