// SPDX-License-Identifier: MIT
import ObservableCore

/// A source that works outside every isolation, and takes only `Sendable` things along (S3-5).
///
/// ```swift
/// BackgroundSource { observer in
///   for line in try file.lines() { observer.onNext(line) }
/// }
/// .subscribe(on: executor)    // where it is built and works
/// .observe(on: owner)         // where its events arrive: from here on it is an event sequence
/// ```
///
/// An ``EventSequence`` cannot be subscribed on another thread, since it and all that its closures capture live in one
/// isolation. The part that crosses must be written as a `@Sendable` closure, and the elements must be `Sendable`, or
/// it does not compile.
///
/// The source completes when the closure returns and fails when it throws. A disposal cancels its task.
public struct BackgroundSource<Element: Sendable>: Sendable {
  /// The receiver of a background source's elements; it may be called from any thread. Nobody is told after the end.
  public struct Observer: Sendable {
    let continuation: AsyncThrowingStream<Element, any Error>.Continuation

    /// Sends an element. Elements wait until the owner takes them, in order, however many.
    public func onNext(_ element: Element) { continuation.yield(element) }
  }

  private let work: @Sendable (Observer) async throws -> Void
  private var executor: (any TaskExecutor)?
  private var priority: TaskPriority?

  /// A source of the elements that `work` sends; it runs anew for each subscription, by default on the concurrent
  /// executor.
  public init(_ work: @escaping @Sendable (Observer) async throws -> Void) { self.work = work }

  /// The same source, which works on `executor`.
  public func subscribe(on executor: any TaskExecutor) -> BackgroundSource {
    var source = self
    source.executor = executor
    return source
  }

  /// The same source, which works at `priority`.
  public func subscribe(priority: TaskPriority) -> BackgroundSource {
    var source = self
    source.priority = priority
    return source
  }

  /// The source's events, in the isolation of `scheduler`.
  public func observe(on scheduler: ActorScheduler) -> EventSequence<Element> {
    EventSequence { observer in
      let (stream, continuation) = AsyncThrowingStream<Element, any Error>.makeStream()
      let task = Task(executorPreference: executor, priority: priority) { [work] in
        do {
          try await work(Observer(continuation: continuation))
          continuation.finish()
        } catch { continuation.finish(throwing: error) }
      }
      let arrivals = stream.asEventSequence(on: scheduler).subscribeToEvents(endingWith: observer) { observer.on($0) }
      return CompositeDisposable(AnyDisposable { task.cancel() }, arrivals)
    }
  }

  /// The source's events, in the caller's isolation.
  public func observe(isolation: isolated any Actor = #isolation) -> EventSequence<Element> {
    observe(on: ActorScheduler(isolation: isolation))
  }
}
