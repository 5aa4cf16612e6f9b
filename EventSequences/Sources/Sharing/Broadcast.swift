// SPDX-License-Identifier: MIT

/// Delivers each event to every subscriber before the next: the common part of a subject and a shared sequence.
///
/// An event that is sent while another is being delivered waits. It reaches the observers that are subscribed when its
/// turn comes.
final class Broadcast<Element> {
  typealias Event = EventSequence<Element>.Event

  private var subscribers: [Subscriber<Element>] = []
  private var queue = EventQueue<Event>()
  private var isDelivering = false

  /// The number of subscribers.
  private(set) var count = 0

  /// - Parameter willDeliver: runs as an event's turn comes, before any subscriber has it.
  func send(_ event: Event, willDeliver: (Event) -> Void = { _ in }) {
    queue.append(event)
    guard !isDelivering else { return }
    isDelivering = true
    while let event = queue.next() {
      willDeliver(event)
      for subscriber in subscribers { subscriber.on(event) }
    }
    isDelivering = false
  }

  func insert(_ subscriber: Subscriber<Element>) {
    subscribers.append(subscriber)
    count += 1
  }

  /// Takes out a subscriber that has ended. O(1), spread over the removals: the places are given back together.
  func subscriberDidEnd() {
    count -= 1
    if count == 0 || subscribers.count > max(16, 2 * count) { subscribers.removeAll { $0.isDisposed } }
  }
}
