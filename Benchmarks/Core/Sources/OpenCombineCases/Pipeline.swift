// SPDX-License-Identifier: MIT
import OpenCombine

/// A step or more of a pipeline, its type erased so that arrays and loops can hold it.
typealias Pipeline<Value> = AnyPublisher<Value, Never>

/// Keeps the newest value of a pipeline on which several others depend, so that the pipeline runs once for all of them.
func shared<Value>(
  _ pipeline: Pipeline<Value>, first: Value, in subscriptions: inout [AnyCancellable]
) -> CurrentValueSubject<Value, Never> {
  let subject = CurrentValueSubject<Value, Never>(first)
  subscriptions.append(pipeline.sink { subject.value = $0 })
  return subject
}

/// Sends the result of `formula` for the newest values of all the pipelines, each time that the result is new.
///
/// Combine has `combineLatest` for this. OpenCombine 0.14 has not, so its users write a function such as this one. It
/// does less than Combine's, which locks, takes four pipelines at most and makes a tuple or an array for each value.
func combineLatest<Value, Result: Equatable>(
  _ pipelines: [Pipeline<Value>], first: Result, in subscriptions: inout [AnyCancellable],
  _ formula: @escaping ([Value]) -> Result
) -> CurrentValueSubject<Result, Never> {
  let newest = Newest<Value>()
  let subject = CurrentValueSubject<Result, Never>(first)
  for place in pipelines.indices {
    subscriptions.append(
      pipelines[place].sink { value in
        // Each pipeline hands on its present value when it is subscribed to, so the first values arrive in order.
        if place < newest.values.count { newest.values[place] = value } else { newest.values.append(value) }
        guard newest.values.count == pipelines.count else { return }
        let result = formula(newest.values)
        if result != subject.value { subject.value = result }
      })
  }
  return subject
}

private final class Newest<Value> {
  @exclusivity(unchecked) var values: [Value] = []
}
