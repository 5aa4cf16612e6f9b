// SPDX-License-Identifier: MIT
import Dispatch
import Testing

@testable import Sessions

@Suite(.timeLimit(.minutes(30))) struct `The executor of a host` {
  @Test func `has work go on at it after each wait, and not at Swift's shared threads`() async {
    let executor = HostExecutor()
    func isHere() -> Bool {
      withUnsafeCurrentTask { $0?.unownedTaskExecutor } == executor.asUnownedTaskExecutor()
    }
    func wait() async { await withCheckedContinuation { done in DispatchQueue.global().async { done.resume() } } }
    let work = Task(executorPreference: executor) {
      let before = isHere()
      await wait()
      let children = await withTaskGroup { group in
        for _ in 0..<3 {
          group.addTask {
            await wait()
            return isHere()
          }
        }
        return await group.reduce(true) { $0 && $1 }
      }
      return (before, isHere(), children)
    }
    #expect(await work.value == (true, true, true))
    #expect(!isHere())
  }
}
