// SPDX-License-Identifier: MIT

/// What is told the events of a sequence.
public protocol EventObserver<Element> {
  /// What the sequence sends.
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
