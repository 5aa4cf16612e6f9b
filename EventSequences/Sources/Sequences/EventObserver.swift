// SPDX-License-Identifier: MIT

/// A receiver of a sequence's events.
public protocol EventObserver<Element> {
  /// The type of the sequence's elements.
  associatedtype Element
  /// Takes an event: an element, the error or the completion.
  func on(_ event: EventSequence<Element>.Event)
}

extension EventObserver {
  /// Sends an element.
  public func onNext(_ element: Element) { on(.next(element)) }
  /// Ends the sequence with an error.
  public func onError(_ error: any Error) { on(.error(error)) }
  /// Ends the sequence: all elements were sent.
  public func onCompleted() { on(.completed) }
}

extension EventObserver where Element == Void {
  /// Sends a pulse.
  public func onNext() { on(.next(())) }
}
