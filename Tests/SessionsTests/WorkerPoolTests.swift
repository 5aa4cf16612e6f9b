// SPDX-License-Identifier: MIT
import Dispatch
import Locking
import Testing

@testable import Sessions

@Suite(.timeLimit(.minutes(30))) struct `A pool of workers` {
  /// Jobs that wait until the test lets them go.
  final class Jobs: Sendable {
    private let begun = Locked<[String]>([])
    private let mayEnd = DispatchSemaphore(value: 0)
    private let (beginnings, beginning) = AsyncStream.makeStream(of: Void.self)

    func job(_ name: String) -> WorkerPool.Job {
      {
        self.begun.withLock { $0.append(name) }
        self.beginning.yield()
        self.mayEnd.wait()
      }
    }

    /// The names of the jobs that have begun, as soon as there are so many.
    func begun(_ count: Int) async -> [String] {
      var iterator = beginnings.makeAsyncIterator()
      while begun.withLock({ $0.count }) < count { await iterator.next() }
      return begun.withLock { $0 }
    }

    func end(_ count: Int) { for _ in 0..<count { mayEnd.signal() } }
  }

  @Test func `runs as many jobs at once as it has threads, and the others after them in order`() async {
    let (pool, jobs) = (WorkerPool(threads: 2), Jobs())
    for name in ["a", "b", "c", "d"] { pool.run(isSlow: false, jobs.job(name)) }
    #expect(await Set(jobs.begun(2)) == ["a", "b"])
    jobs.end(1)
    #expect(await jobs.begun(3).last == "c")
    jobs.end(1)
    #expect(await jobs.begun(4).last == "d")
    jobs.end(2)
  }

  @Test func `keeps a quarter of its threads for jobs that are not known to be slow`() async {
    let (pool, jobs) = (WorkerPool(threads: 4), Jobs())
    for name in ["slow 1", "slow 2", "slow 3", "slow 4"] { pool.run(isSlow: true, jobs.job(name)) }
    pool.run(isSlow: false, jobs.job("new"))
    #expect(await Set(jobs.begun(4)) == ["slow 1", "slow 2", "slow 3", "new"])
    // Whichever job ends first, the waiting slow job begins only when a slow job has ended.
    jobs.end(4)
    #expect(await jobs.begun(5).last == "slow 4")
    jobs.end(1)
  }
}
