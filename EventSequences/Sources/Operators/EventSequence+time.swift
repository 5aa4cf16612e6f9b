// SPDX-License-Identifier: MIT
import ObservableCore

extension EventSequence {
  /// An element once `interval` has passed without another; those before it are dropped.
  ///
  /// At the completion an element that still waits is sent first; an error drops it.
  public func debounce(for interval: Duration, on scheduler: any TimeScheduler) -> EventSequence {
    EventSequence { observer in
      let timer = SerialDisposable()
      var waiting: Element?
      func flush() {
        guard let element = waiting else { return }
        waiting = nil
        observer.onNext(element)
      }
      let upstream = subscribe(
        endingWith: observer,
        onNext: { element in
          waiting = element
          timer.replace(with: scheduler.schedule(after: interval) { flush() })
        }, onError: observer.onError,
        onCompleted: {
          flush()
          observer.onCompleted()
        })
      return CompositeDisposable(upstream, timer)
    }
  }

  /// An element at once, then at most one each `interval`.
  ///
  /// With `latest` the newest element that came meanwhile is sent at the end of the interval, and a completion waits
  /// for it; an error does not. Without, it is dropped.
  public func throttle(
    for interval: Duration, latest: Bool = true, on scheduler: any TimeScheduler
  ) -> EventSequence {
    EventSequence { observer in
      let throttling = Throttling(observer, interval, latest: latest, scheduler)
      let upstream = subscribe(
        endingWith: observer,
        onNext: throttling.elementCame, onError: observer.onError, onCompleted: throttling.upstreamCompleted)
      return CompositeDisposable(upstream, throttling.timer)
    }
  }

  /// Does as ``debounce(for:on:)``, in the caller's isolation and by the time of `clock`.
  public func debounce(
    for interval: Duration, clock: any Clock<Duration>, isolation: isolated any Actor = #isolation
  ) -> EventSequence {
    debounce(for: interval, on: ActorScheduler(clock: clock, isolation: isolation))
  }

  /// Does as ``throttle(for:latest:on:)``, in the caller's isolation and by the time of `clock`.
  public func throttle(
    for interval: Duration, latest: Bool = true, clock: any Clock<Duration>,
    isolation: isolated any Actor = #isolation
  ) -> EventSequence {
    throttle(for: interval, latest: latest, on: ActorScheduler(clock: clock, isolation: isolation))
  }
}

/// One subscription to a `throttle`.
private final class Throttling<Element> {
  private let observer: Subscriber<Element>
  private let interval: Duration
  private let latest: Bool
  private let scheduler: any TimeScheduler
  let timer = SerialDisposable()
  private var waiting: Element?
  /// Set from an element that is sent to the end of the interval after it.
  private var isWithinInterval = false
  private var hasUpstreamCompleted = false

  init(_ observer: Subscriber<Element>, _ interval: Duration, latest: Bool, _ scheduler: any TimeScheduler) {
    self.observer = observer
    self.interval = interval
    self.latest = latest
    self.scheduler = scheduler
  }

  func elementCame(_ element: Element) {
    if !isWithinInterval { return send(element) }
    if latest { waiting = element }
  }

  func upstreamCompleted() {
    hasUpstreamCompleted = true
    if waiting == nil { observer.onCompleted() }
  }

  private func send(_ element: Element) {
    isWithinInterval = true
    timer.replace(with: scheduler.schedule(after: interval) { [self] in intervalEnded() })
    observer.onNext(element)
    if hasUpstreamCompleted { observer.onCompleted() }
  }

  private func intervalEnded() {
    isWithinInterval = false
    guard let element = waiting else { return }
    waiting = nil
    send(element)
  }
}
