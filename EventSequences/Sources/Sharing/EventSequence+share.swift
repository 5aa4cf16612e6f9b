// SPDX-License-Identifier: MIT
import ObservableCore

extension EventSequence {
  /// One subscription upstream for all subscribers; each newcomer first gets the last `count` elements (S3-6).
  ///
  /// - The first subscriber starts the upstream subscription.
  /// - When the last one leaves, the upstream subscription ends and the elements are forgotten; the next subscriber
  ///   starts anew.
  /// - When the upstream completes or fails, all subscribers are told, and the elements are forgotten. A subscriber
  ///   after that starts anew, and so does one that subscribes on being told. (Replaying an end for ever would make a
  ///   failed request fail for ever.)
  ///
  /// Every sequence that is to share must come from the same call: `share` makes the shared subscription, once.
  ///
  /// - Parameter count: the number of elements that are replayed, at least 0.
  public func share(replay count: Int = 0) -> EventSequence {
    if count < 0 {
      stopProgram(
        "share(replay:) got \(count)", expected: "0 elements or more", remedy: "give a count that is not negative")
    }
    let shared = SharedSequence(self, replay: count)
    return EventSequence { shared.join($0) }
  }
}

/// The common part of a shared sequence's subscribers: at most one connection at a time.
private final class SharedSequence<Element> {
  private let upstream: EventSequence<Element>
  private let capacity: Int
  /// Weak, as the upstream keeps it alive: when the upstream is gone for good, so is the connection.
  private weak var connection: SharedConnection<Element>?

  init(_ upstream: EventSequence<Element>, replay capacity: Int) {
    self.upstream = upstream
    self.capacity = capacity
  }

  func join(_ observer: Subscriber<Element>) -> any Disposable {
    if let connection, !connection.hasEnded { return join(connection, observer) }
    let fresh = SharedConnection<Element>(replay: capacity)
    connection = fresh
    let leaving = join(fresh, observer)
    fresh.connect(to: upstream)
    return leaving
  }

  private func join(_ connection: SharedConnection<Element>, _ observer: Subscriber<Element>) -> any Disposable {
    connection.broadcast.insert(observer)
    observer.on(connection.recent.map { .next($0) })
    return AnyDisposable { [weak connection] in connection?.subscriberDidEnd() }
  }
}

/// One upstream subscription, with the subscribers that joined it. The upstream keeps it alive.
private final class SharedConnection<Element> {
  let broadcast = Broadcast<Element>()
  private let capacity: Int
  private(set) var recent: [Element] = []
  /// Set when the upstream's end is being told, or the last subscriber has left; never cleared.
  private(set) var hasEnded = false
  private let upstream = SerialDisposable()

  init(replay capacity: Int) { self.capacity = capacity }

  func connect(to sequence: EventSequence<Element>) {
    guard !hasEnded else { return }
    let subscription = sequence.subscribeToEvents(endingWith: upstream) { [self] event in
      broadcast.send(event, willDeliver: remember)
    }
    upstream.replace(with: subscription)
  }

  func subscriberDidEnd() {
    broadcast.subscriberDidEnd()
    guard broadcast.count == 0 else { return }
    hasEnded = true
    recent = []
    upstream.dispose()
  }

  private func remember(_ event: EventSequence<Element>.Event) {
    switch event {
    case .next(let element):
      recent.append(element)
      if recent.count > capacity { recent.removeFirst() }
    case .error, .completed:
      hasEnded = true
      recent = []
    }
  }
}
