// SPDX-License-Identifier: MIT
import ObservableCore

/// A hot source: it takes events from outside and tells them to the subscribers of that moment.
///
/// After its error or completion it tells each newcomer that end, and nothing else.
public final class PublishSubject<Element>: EventObserver {
  private let broadcast = Broadcast<Element>()
  /// The end, once it is accepted; newcomers get it.
  private var terminal: EventSequence<Element>.Event?

  /// A subject to which nothing was sent yet.
  public init() {}

  /// Tells every subscriber, after all that was sent before.
  public func on(_ event: EventSequence<Element>.Event) {
    guard terminal == nil else { return }
    if event.isTerminal { terminal = event }
    broadcast.send(event)
  }

  /// The number of subscribers.
  public var subscriberCount: Int { broadcast.count }

  /// The sequence of the events that are sent from the subscription on. A subscription does not keep the subject alive;
  /// it ends with the subject.
  public var sequence: EventSequence<Element> {
    EventSequence { [self] observer in
      if let terminal {
        observer.on(terminal)
        return nil
      }
      broadcast.insert(observer)
      return AnyDisposable { [weak broadcast] in broadcast?.subscriberDidEnd() }
    }
  }
}
