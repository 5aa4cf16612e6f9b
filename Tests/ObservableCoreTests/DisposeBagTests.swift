// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@Suite struct `A bag` {
  final class Ending: Disposable {
    private(set) var disposals = 0
    var isDisposed = false
    var onDispose: () -> Void = {}

    func dispose() {
      disposals += 1
      isDisposed = true
      onDispose()
    }
  }

  @Test func `S3-4 forgets ended subscriptions, so that it never holds more than twice the running ones`() {
    let bag = DisposeBag()
    let running = (0..<10).map { _ in Ending() }
    for ending in running { bag.insert(ending) }
    for _ in 0..<10_000 {
      let ending = Ending()
      bag.insert(ending)
      ending.isDisposed = true
      #expect(bag.heldCount <= max(DisposeBag.minimumSweep, 2 * (running.count + 1)))
    }
    #expect(bag.count == 10)
    bag.dispose()
    #expect(running.map(\.disposals) == Array(repeating: 1, count: 10))
  }

  @Test func `S3-4 lets go of a subscription whose observable went, whose graph was closed or that was disposed of`() {
    let bag = DisposeBag()
    let graph = Graph()
    var short: Observable<Int>? = Observable(0)
    let (closed, long) = (graph.enter { Observable(0) }, Observable(0))
    short?.addObserver(Observer { _ in }).disposed(by: bag)
    let subscriptions = [closed, long, long].map { $0.addObserver(Observer { _ in }) }
    for subscription in subscriptions { subscription.disposed(by: bag) }
    #expect(bag.count == 4)
    short = nil
    #expect(bag.count == 3)
    graph.close()
    #expect((subscriptions[0].isDisposed, bag.count) == (true, 2))
    subscriptions[1].dispose()
    #expect(bag.count == 1)
  }

  @Test func `ends all that it holds when it goes`() {
    let held = [Ending(), Ending()]
    var bag: DisposeBag? = DisposeBag()
    for ending in held { bag?.insert(ending) }
    bag = nil
    #expect(held.map(\.disposals) == [1, 1])
  }

  @Test func `S3-4 does not keep a subscription that has ended before`() {
    let bag = DisposeBag()
    let ended = Ending()
    ended.dispose()
    bag.insert(ended)
    #expect(bag.heldCount == 0)
  }

  @Test func `S3-4 can be used again after it was emptied, and from within`() {
    let bag = DisposeBag()
    let (first, second) = (Ending(), Ending())
    first.onDispose = { bag.insert(second) }
    bag.insert(first)
    bag.dispose()
    #expect((first.disposals, second.disposals, bag.count) == (1, 0, 1))
    bag.dispose()
    #expect((first.disposals, second.disposals) == (1, 1))
  }
}
