// SPDX-License-Identifier: MIT
import ObservableCore

/// An observer's place with an observable or an event, which knows when that goes or its graph is closed.
///
/// It keeps neither alive. The source holds the observer, whose handler holds a farewell: when the source lets go of
/// them, whatever the reason, the farewell is said.
final class Observation<Value>: Disposable {
  private weak var observer: Observer<Value>?
  private weak var farewell: Farewell?
  private let leave: (Observer<Value>) -> Void

  /// - Parameter onEnd: runs as the observable goes or its graph is closed, not when this is disposed of.
  convenience init(
    of observable: ObservableValue<Value>, onChange: @escaping (Value) -> Void, onEnd: @escaping () -> Void
  ) {
    self.init(
      onChange, onEnd, leave: { [weak observable] in observable?.removeObserver($0) },
      join: { observable.addObserver($0) })
  }

  /// - Parameter onEnd: runs as the event goes or its graph is closed, not when this is disposed of.
  convenience init(of event: Event<Value>, onPulse: @escaping (Value) -> Void, onEnd: @escaping () -> Void) {
    self.init(
      onPulse, onEnd, leave: { [weak event] in event?.removeObserver($0) }, join: { event.addObserver($0) })
  }

  private init(
    _ onChange: @escaping (Value) -> Void, _ onEnd: @escaping () -> Void,
    leave: @escaping (Observer<Value>) -> Void, join: (Observer<Value>) -> Void
  ) {
    let farewell = Farewell(onEnd)
    let observer = Observer<Value> { value in withExtendedLifetime(farewell) { onChange(value) } }
    self.observer = observer
    self.farewell = farewell
    self.leave = leave
    join(observer)
  }

  var isDisposed: Bool { farewell == nil }

  func dispose() {
    farewell?.isSilent = true
    if let observer { leave(observer) }
    observer = nil
    farewell = nil
  }
}

/// Runs a closure as it goes, unless it is silenced.
final class Farewell {
  private let action: () -> Void
  var isSilent = false

  init(_ action: @escaping () -> Void) { self.action = action }

  deinit { if !isSilent { action() } }
}
