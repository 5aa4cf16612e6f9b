// SPDX-License-Identifier: MIT
public import ObservableCore

extension AsyncSequence {
  /// The elements as events, in the isolation of `scheduler`. Each subscription iterates this sequence in a task of its
  /// own, which a disposal cancels; while it runs it keeps the scheduler's actor alive. An element that comes after the
  /// disposal is dropped, and the sequence is asked once more: so it learns that its reader is cancelled.
  public func asEventSequence(on scheduler: ActorScheduler) -> EventSequence<Element> {
    EventSequence { observer in
      let task = scheduler.perform {
        do {
          var wasDisposed = false
          for try await element in self {
            if wasDisposed { return }
            wasDisposed = observer.isDisposed
            if !wasDisposed { observer.onNext(element) }
          }
          observer.onCompleted()
        } catch { observer.onError(error) }
      }
      return AnyDisposable { task?.cancel() }
    }
  }

  /// The elements as events, in the caller's isolation.
  public func asEventSequence(isolation: isolated any Actor = #isolation) -> EventSequence<Element> {
    asEventSequence(on: ActorScheduler(isolation: isolation))
  }

  /// Writes each element to `observable`, in the caller's isolation, until this is disposed of.
  ///
  /// `onError` gets the error of the sequence, and the errors of the observable's observers. Without it such an error
  /// is a programming error and ends the process; in a session the log has it.
  @discardableResult
  public func bind(
    to observable: Observable<Element>, onError: ((any Error) -> Void)? = nil, file: StaticString = #fileID,
    line: UInt = #line, isolation: isolated any Actor = #isolation
  ) -> any Disposable {
    asEventSequence(isolation: isolation).bind(to: observable, onError: onError, file: file, line: line)
  }

  /// Invokes `observer` with each element, in the caller's isolation, until this is disposed of.
  ///
  /// `onError` gets the error of the sequence or of the observer. Without it such an error is a programming error and
  /// ends the process; in a session the log has it.
  @discardableResult
  public func bind(
    to observer: Observer<Element>, onError: ((any Error) -> Void)? = nil, file: StaticString = #fileID,
    line: UInt = #line, isolation: isolated any Actor = #isolation
  ) -> any Disposable {
    asEventSequence(isolation: isolation).bind(to: observer, onError: onError, file: file, line: line)
  }
}
