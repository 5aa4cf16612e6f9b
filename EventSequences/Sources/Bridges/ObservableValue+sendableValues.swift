// SPDX-License-Identifier: MIT
public import ObservableCore

extension ObservableValue where Value: Sendable {
  /// The present value, then the newest at each time of asking, for a consumer in any isolation.
  ///
  /// This is ``ObservableCore/ObservableValue/values`` as a `Sendable` sequence, for which swift-async-algorithms'
  /// `debounce` and `merge` ask. It is observed from this call on, by one consumer. It ends as `values` does; the
  /// observation is taken back in this isolation when the consumer is cancelled or drops it.
  public func sendableValues(isolation: isolated any Actor = #isolation) -> AsyncStream<Value> {
    sendableValues(on: ActorScheduler(isolation: isolation))
  }

  /// Does as ``sendableValues(isolation:)``, where the isolation is known only through its scheduler.
  public func sendableValues(on scheduler: ActorScheduler) -> AsyncStream<Value> {
    let (stream, values) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let observation = Observation(of: self, onChange: { values.yield($0) }, onEnd: values.finish)
    values.onTermination = scheduler.later { observation.dispose() }
    if let value = try? get() { values.yield(value) }
    return stream
  }
}
