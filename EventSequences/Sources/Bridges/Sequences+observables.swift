// SPDX-License-Identifier: MIT
public import ObservableCore

extension ObservableValue {
  /// The present value, then each change.
  ///
  /// A transaction is told as one change, at its end, with the newest value. It completes when the observable goes or
  /// its graph is closed. A subscription does not keep the observable alive; the sequence does. A computed that holds
  /// an error sends nothing until it has a value.
  public func asSequence() -> EventSequence<Value> {
    EventSequence { [self] observer in
      let observation = Observation(of: self, onChange: observer.onNext, onEnd: observer.onCompleted)
      // After joining, so that no write which this element causes is missed.
      if let value = try? get() { observer.onNext(value) }
      return observation
    }
  }
}

extension Event {
  /// Each pulse from the subscription on.
  ///
  /// It completes when the event goes or its graph is closed. A subscription does not keep the event alive; the
  /// sequence does.
  public func asSequence() -> EventSequence<Value> {
    EventSequence { [self] observer in
      Observation(of: self, onPulse: observer.onNext, onEnd: observer.onCompleted)
    }
  }
}

extension EventSequence {
  /// Writes each element to `observable`, which is not kept alive.
  ///
  /// `onError` gets the error that ends the sequence, and those that the observable's observers throw at a write that
  /// is not part of a transaction. Without it such an error is a programming error and ends the process, as one that
  /// reaches a ``Binder`` does; in a session the log has it.
  @discardableResult
  public func bind(
    to observable: Observable<Element>, onError: ((any Error) -> Void)? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) -> any Disposable {
    bind(onError, "\(observable.origin)", file, line) { [weak observable] element in try observable?.set(element) }
  }

  /// Invokes `observer` with each element, which is kept alive.
  ///
  /// `onError` gets the error that ends the sequence, and those that the observer throws. Without it such an error is a
  /// programming error and ends the process; in a session the log has it.
  @discardableResult
  public func bind(
    to observer: Observer<Element>, onError: ((any Error) -> Void)? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) -> any Disposable {
    bind(onError, "an observer", file, line) { element in try observer.invoke(element) }
  }

  /// Sends each element as a pulse of `event`, which is not kept alive.
  ///
  /// `onError` is as for ``bind(to:onError:file:line:)-(Observable<Element>,_,_,_)``.
  @discardableResult
  public func bind(
    to event: ObservableCore.Event<Element>, onError: ((any Error) -> Void)? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) -> any Disposable {
    bind(onError, "\(event.origin)", file, line) { [weak event] element in try event?.send(element) }
  }

  private func bind(
    _ onError: ((any Error) -> Void)?, _ target: String, _ file: StaticString, _ line: UInt,
    _ handle: @escaping (Element) throws -> Void
  ) -> any Disposable {
    let fail =
      onError
      ?? { error in
        if hostTakes(error, of: "the binding to \(target) (\(file):\(line))") { return }
        stopProgram(
          "the binding to \(target) got '\(error)'", expected: "none without 'onError:'",
          remedy: "give 'onError:', or catch it before", file: file, line: line)
      }
    return subscribe(
      onNext: { element in
        do { try handle(element) } catch { fail(error) }
      }, onError: fail)
  }
}
