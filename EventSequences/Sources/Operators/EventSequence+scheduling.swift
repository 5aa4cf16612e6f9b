// SPDX-License-Identifier: MIT
import ObservableCore

extension EventSequence {
  /// The same events, which arrive on `scheduler`, in order (S3-5).
  ///
  /// An event that still waits when the subscription ends never arrives. To get elements from outside the isolation,
  /// see ``BackgroundSource``.
  public func observe(on scheduler: any Scheduler) -> EventSequence {
    EventSequence { observer in
      let arrivals = Arrivals(observer, scheduler)
      return CompositeDisposable(subscribeToEvents(endingWith: observer) { arrivals.append($0) }, arrivals.turn)
    }
  }

  /// The same sequence, which is subscribed, and so built, on `scheduler` (S3-5).
  public func subscribe(on scheduler: any Scheduler) -> EventSequence {
    EventSequence { observer in
      let place = SerialDisposable()
      let turn = scheduler.schedule { place.replace(with: subscribeToEvents(endingWith: observer) { observer.on($0) }) }
      return CompositeDisposable(turn, place)
    }
  }
}

/// The events that wait to arrive on a scheduler. At most one turn is asked for at a time, so that the order does not
/// depend on the scheduler's.
private final class Arrivals<Element> {
  private let observer: Subscriber<Element>
  private let scheduler: any Scheduler
  private var queue = EventQueue<EventSequence<Element>.Event>()
  /// Set from asking for a turn until that turn has delivered all events.
  private var isScheduled = false
  let turn = SerialDisposable()

  init(_ observer: Subscriber<Element>, _ scheduler: any Scheduler) {
    self.observer = observer
    self.scheduler = scheduler
  }

  func append(_ event: EventSequence<Element>.Event) {
    queue.append(event)
    guard !isScheduled else { return }
    isScheduled = true
    turn.replace(with: scheduler.schedule { [self] in deliver() })
  }

  private func deliver() {
    while !observer.isDisposed, let event = queue.next() { observer.on(event) }
    isScheduled = false
  }
}
