// SPDX-License-Identifier: MIT
import ObservableCore

/// An error of awaiting a sequence.
public enum EventSequenceError: Error, Equatable, CustomStringConvertible {
  /// `single()` awaited a sequence that completed without an element.
  case noElement
  /// `single()` awaited a sequence that sent a second element.
  case severalElements
  /// The source let go of its observer without an error or a completion, so that no event can come any more.
  case abandoned

  public var description: String {
    switch self {
    case .noElement: "the sequence completed without an element; expected exactly one"
    case .severalElements: "the sequence sent a second element; expected exactly one"
    case .abandoned: "the sequence's source let go of its observer; expected an error or a completion first"
    }
  }
}

extension EventSequence {
  /// Awaits the first element, or the completion, which gives `nil` (a Maybe, S3-2). Then the subscription is disposed
  /// of.
  ///
  /// - Throws: the sequence's error, `CancellationError`, or ``EventSequenceError/abandoned``.
  public func first(isolation: isolated (any Actor)? = #isolation) async throws -> Element? {
    try await take(1).elements(isolation: isolation).first
  }

  /// Awaits the one element of the sequence, and its completion (a Single, S3-2).
  ///
  /// - Throws: the sequence's error, `CancellationError`, or an ``EventSequenceError``.
  public func single(isolation: isolated (any Actor)? = #isolation) async throws -> Element {
    let elements = try await take(2).elements(isolation: isolation)
    if elements.count > 1 { throw EventSequenceError.severalElements }
    guard let element = elements.first else { throw EventSequenceError.noElement }
    return element
  }

  /// Awaits the completion, whatever comes before (a Completable, S3-2).
  ///
  /// - Throws: the sequence's error, `CancellationError`, or ``EventSequenceError/abandoned``.
  public func completion(isolation: isolated (any Actor)? = #isolation) async throws {
    _ = try await filter { _ in false }.elements(isolation: isolation)
  }

  /// Awaits all elements.
  private func elements(isolation: isolated (any Actor)?) async throws -> [Element] {
    let outcome = AwaitedSequence<Element>()
    let (stream, ending) = AsyncStream<Void>.makeStream()
    var signals = stream.makeAsyncIterator()
    // Only the subscription's handler holds the farewell, so it goes with the subscription at the latest.
    let farewell = Farewell(ending.finish)
    let subscription = subscribeToEvents { [farewell] event in
      withExtendedLifetime(farewell) { outcome.take(event) }
      if event.isTerminal { ending.finish() }
    }
    _ = consume farewell
    _ = await signals.next(isolation: isolation)
    subscription.dispose()
    return try outcome.get()
  }
}

/// The state of a sequence that is awaited.
private final class AwaitedSequence<Element> {
  private var elements: [Element] = []
  private var end: Result<Void, any Error>?

  func take(_ event: EventSequence<Element>.Event) {
    switch event {
    case .next(let element): elements.append(element)
    case .error(let error): end = .failure(error)
    case .completed: end = .success(())
    }
  }

  func get() throws -> [Element] {
    guard let end else { throw Task.isCancelled ? CancellationError() : EventSequenceError.abandoned }
    try end.get()
    return elements
  }
}
