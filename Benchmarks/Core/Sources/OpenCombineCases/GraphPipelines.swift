// SPDX-License-Identifier: MIT
import OpenCombine
import ReactiveShapes

/// A rectangular graph in which every computed is static.
func rectangle(_ configuration: GraphConfiguration) -> DynamicGraph<OpenCombineFramework<Double>> {
  let plan = GraphPlan(configuration)
  let runs = Counter()
  let signals = (0..<configuration.width).map { OpenCombineFramework.signal(Double($0)) }
  var above = signals
  var subscriptions: [AnyCancellable] = []
  for row in plan.isStatic {
    above = row.indices.map { place in
      let sources = plan.sources(of: place).map { above[$0].eraseToAnyPublisher() }
      return combineLatest(sources, first: 0, in: &subscriptions) { values in
        runs.count += 1
        return values.reduce(0, +)
      }
    }
  }
  let leaves = plan.leaves.map { above[$0].eraseToAnyPublisher() }
  let sum = combineLatest(leaves, first: 0, in: &subscriptions) { $0.reduce(0, +) }
  subscriptions.append(sum.sink { _ in })
  return DynamicGraph(
    plan, runs: runs, signals: signals, lastLayer: above.map { subject in Readable { subject.value } },
    keeping: subscriptions)
}

func updateManyToOne() -> UpdateManyToOne<Whole> {
  let signals = (0..<UpdateManyToOne<Whole>.width).map { Whole.signal($0) }
  let latest = Counter()
  var subscriptions: [AnyCancellable] = []
  let inputs = signals.map { $0.eraseToAnyPublisher() }
  let sum = combineLatest(inputs, first: 0, in: &subscriptions) { $0.reduce(0, +) }
  subscriptions.append(sum.sink { latest.count = $0 })
  return UpdateManyToOne(signals: signals, latest: latest, keeping: subscriptions)
}

func chain(_ value: Int, _ calls: Counter) -> Chain<Whole> {
  let signal = Whole.signal(value)
  let latest = Latest(0)
  let subscription = signal.map { $0 + 1 }.removeDuplicates().sink {
    latest.value = $0
    calls.count += 1
  }
  return Chain(signal: signal, computed: latest.readable, subscription: subscription)
}
