// SPDX-License-Identifier: MIT
import OpenCombine
import ReactiveShapes

typealias Whole = OpenCombineFramework<Int>

extension HeadedGraph where Framework == Whole {
  /// The graph that ends in one pipeline with one observer.
  fileprivate init(
    _ head: Whole.Signal, _ pipeline: Pipeline<Int>, sharing subscriptions: [AnyCancellable] = [],
    _ handler: @escaping (Counter) -> Void = { $0.count += 1 }
  ) {
    let calls = Counter()
    let latest = Latest(0)
    let subscription = pipeline.sink {
      latest.value = $0
      handler(calls)
    }
    self.init(
      head: head, computeds: [latest.readable], calls: calls, subscriptions: subscriptions + [subscription])
  }
}

func broad() -> Broad<Whole> {
  let head = Whole.signal(0)
  let calls = Counter()
  var ends: [Readable<Int>] = []
  var subscriptions: [AnyCancellable] = []
  for offset in 0..<Broad<Whole>.chains {
    let latest = Latest(0)
    subscriptions.append(
      head.map { $0 + offset }.removeDuplicates().map { $0 + 1 }.removeDuplicates().sink {
        latest.value = $0
        calls.count += 1
      })
    ends.append(latest.readable)
  }
  return Broad(HeadedGraph(head: head, computeds: ends, calls: calls, subscriptions: subscriptions))
}

func deep() -> Deep<Whole> {
  let head = Whole.signal(0)
  var pipeline = head.eraseToAnyPublisher()
  for _ in 0..<Deep<Whole>.length {
    pipeline = pipeline.map { $0 + 1 }.removeDuplicates().eraseToAnyPublisher()
  }
  return Deep(HeadedGraph(head, pipeline))
}

func diamond() -> Diamond<Whole> {
  let head = Whole.signal(0)
  let sides = (0..<Diamond<Whole>.width).map { _ in
    head.map { $0 + 1 }.removeDuplicates().eraseToAnyPublisher()
  }
  var subscriptions: [AnyCancellable] = []
  let sum = combineLatest(sides, first: 0, in: &subscriptions) { $0.reduce(0, +) }
  return Diamond(HeadedGraph(head, sum.eraseToAnyPublisher(), sharing: subscriptions))
}

func triangle() -> Triangle<Whole> {
  let head = Whole.signal(0)
  var links = [head]
  var subscriptions: [AnyCancellable] = []
  for position in 1..<Triangle<Whole>.width {
    let next = links[position - 1].map { $0 + 1 }.removeDuplicates().eraseToAnyPublisher()
    links.append(shared(next, first: 0, in: &subscriptions))
  }
  let inputs = links.map { $0.eraseToAnyPublisher() }
  let sum = combineLatest(inputs, first: 0, in: &subscriptions) { $0.reduce(0, +) }
  return Triangle(HeadedGraph(head, sum.eraseToAnyPublisher(), sharing: subscriptions))
}

func avoidable() -> Avoidable<Whole> {
  let head = Whole.signal(0)
  let pipeline = head.map { $0 }.removeDuplicates()
    .map { _ in 0 }.removeDuplicates()
    .map { constant -> Int in
      work()
      return constant + 1
    }.removeDuplicates()
    .map { $0 + 2 }.removeDuplicates()
    .map { $0 + 3 }.removeDuplicates()
  return Avoidable(HeadedGraph(head, pipeline.eraseToAnyPublisher()) { _ in work() })
}

/// A pipeline has its input in hand, and need not ask for it thirty times.
func repeated() -> Repeated<Whole> {
  let head = Whole.signal(0)
  let sum = head.map { value in
    var sum = 0
    for _ in 0..<Repeated<Whole>.reads { sum += value }
    return sum
  }.removeDuplicates()
  return Repeated(HeadedGraph(head, sum.eraseToAnyPublisher()))
}

/// A pipeline that depends on both sources at all times, as its inputs are fixed.
func unstable() -> Unstable<Whole> {
  let head = Whole.signal(0)
  let double = head.map { $0 * 2 }.removeDuplicates()
  let inverse = head.map { -$0 }.removeDuplicates()
  var subscriptions: [AnyCancellable] = []
  let inputs = [head.eraseToAnyPublisher(), double.eraseToAnyPublisher(), inverse.eraseToAnyPublisher()]
  let sum = combineLatest(inputs, first: 0, in: &subscriptions) { values in
    var sum = 0
    for _ in 0..<Unstable<Whole>.reads { sum += values[0].isMultiple(of: 2) ? values[2] : values[1] }
    return sum
  }
  return Unstable(HeadedGraph(head, sum.eraseToAnyPublisher(), sharing: subscriptions))
}

func mux() -> Mux<Whole> {
  let heads = (0..<Mux<Whole>.width).map { _ in Whole.signal(0) }
  var subscriptions: [AnyCancellable] = []
  let inputs = heads.map { $0.eraseToAnyPublisher() }
  let list = combineLatest(inputs, first: [], in: &subscriptions) { $0 }
  let split = (0..<Mux<Whole>.width).map { place in
    let latest = Latest(0)
    subscriptions.append(
      list.map { $0[place] }.removeDuplicates().map { $0 + 1 }.removeDuplicates().sink { latest.value = $0 })
    return latest.readable
  }
  return Mux(heads: heads, split: split, keeping: subscriptions)
}
