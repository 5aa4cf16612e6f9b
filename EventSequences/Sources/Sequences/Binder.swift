// SPDX-License-Identifier: MIT
public import ObservableCore

/// An observer that hands elements to a target, on a scheduler: it handles `next` only (S3-3).
///
/// The target is not kept alive; once it is gone the binder does nothing. An error that reaches a binder is a
/// programming error and ends the process, or in a session is logged: turn errors into elements before binding. A
/// completion is ignored.
public final class Binder<Element>: EventObserver {
  let scheduler: any Scheduler
  private let place: String
  private let binding: (Element) -> Void

  /// A binder of `target`.
  ///
  /// `binding` is handed the target and the element. It always runs on the scheduler: by default where the event
  /// arrives, before the send returns.
  public init<Target: AnyObject>(
    _ target: Target, scheduler: any Scheduler = ImmediateScheduler(), file: StaticString = #fileID, line: UInt = #line,
    _ binding: @escaping (Target, Element) -> Void
  ) {
    self.scheduler = scheduler
    place = "the binder of \(type(of: target)) (\(file):\(line))"
    self.binding = { [weak target] element in
      if let target { binding(target, element) }
    }
  }

  /// Hands an element to the target, on the scheduler.
  public func on(_ event: EventSequence<Element>.Event) {
    scheduler.schedule { [self] in apply(event) }
  }

  /// Handles an event where it is.
  func apply(_ event: EventSequence<Element>.Event) {
    switch event {
    case .next(let element): binding(element)
    case .error(let error):
      if hostTakes(error, of: place) { return }
      stopProgram(
        "\(place) got the error '\(error)'", expected: "elements only",
        remedy: "catch it before, as with 'asDriver(onErrorJustReturn:)'")
    case .completed: break
    }
  }
}

extension EventSequence {
  /// Subscribes a binder, which gets the elements on its scheduler, and none once the subscription has ended.
  @discardableResult
  public func bind(to binder: Binder<Element>) -> any Disposable {
    observe(on: binder.scheduler).subscribeToEvents { binder.apply($0) }
  }
}
