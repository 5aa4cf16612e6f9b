// SPDX-License-Identifier: MIT
import ObservableCore

extension EventSequence {
  /// The elements of each, one sequence after the other (S3-6).
  ///
  /// The second is subscribed only after the first has completed: the elements that a hot second sent before are lost.
  /// It fails with the first that fails, and the ones after that are not subscribed.
  public static func concat(_ inputs: EventSequence...) -> EventSequence { concat(inputs) }

  /// Does as ``concat(_:)-(EventSequence<Element>...)``, with an array.
  public static func concat(_ inputs: [EventSequence]) -> EventSequence {
    EventSequence { observer in
      let concatenation = Concatenation(inputs, observer)
      concatenation.advance()
      return concatenation.current
    }
  }

  /// The elements of this sequence, then those of `next`, which is subscribed when this one has completed.
  public func concat(_ next: EventSequence) -> EventSequence { .concat([self, next]) }
}

/// One subscription to a `concat`.
private final class Concatenation<Element> {
  /// The sequences that are still to come, the next one last. A sequence that had its turn is let go of, since it may
  /// own its source.
  private var waiting: [EventSequence<Element>]
  private let observer: Subscriber<Element>
  let current = SerialDisposable()
  /// Set while `advance` subscribes; an input that completes meanwhile sets `mayAdvance`, so that many inputs which
  /// complete at once need no deep stack.
  private var isAdvancing = false
  private var mayAdvance = false

  init(_ inputs: [EventSequence<Element>], _ observer: Subscriber<Element>) {
    waiting = inputs.reversed()
    self.observer = observer
  }

  func advance() {
    mayAdvance = true
    guard !isAdvancing else { return }
    isAdvancing = true
    while mayAdvance, !observer.isDisposed {
      mayAdvance = false
      guard let input = waiting.popLast() else {
        observer.onCompleted()
        break
      }
      let subscription = input.subscribe(
        endingWith: observer, onNext: observer.onNext, onError: observer.onError, onCompleted: { [self] in advance() })
      current.replace(with: subscription)
    }
    isAdvancing = false
  }
}
