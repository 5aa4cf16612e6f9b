// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@testable import Sessions

@MainActor @Suite struct `A ledger of runs` {
  private final class Owner { var done: [Int] = [] }

  @Test func `holds a run back until its beginning is stored, and one that waits for it too`() {
    let (ledger, owner) = (RunLedger(), Owner())
    let graph = Graph()
    ledger.awaitsStore = true
    graph.runWatcher = ledger
    let command = graph.enter {
      Command<Int, Void>(owner, policy: .queue()) { me, number, _ in try me().done.append(number) }
    }
    for number in 1...3 { command.execute(number) }
    ledger.noteStored(2)
    #expect(owner.done == [])
    ledger.noteStored(1)
    #expect(owner.done == [1, 2])
    ledger.noteStored(3)
    #expect(owner.done == [1, 2, 3])
    graph.close()
  }

  @Test func `does not take a run that is over for one that began after it`() {
    let (ledger, owner) = (RunLedger(), Owner())
    let graph = Graph()
    graph.runWatcher = ledger
    let (stream, end) = AsyncStream<Void>.makeStream()
    let running = graph.enter {
      (
        over: Command<Void, Int>(owner) { _, _, _ in 1 },
        waiting: Command<Void, Int>(owner) { _, _, _ in
          for await _ in stream {}
          return 2
        }
      )
    }
    ledger.beginChanges()
    // The memory of these runs is freed and used again, so a later run may have the same address.
    for _ in 0..<100 {
      ledger.changeBegins()
      running.over.execute(())
    }
    ledger.changeBegins()
    running.waiting.execute(())
    for index in 0..<100 { #expect(ledger.firstRun(ofChange: index).map(ledger.isRunning) == false, "run \(index)") }
    #expect(ledger.firstRun(ofChange: 100).map(ledger.isRunning) == true)
    let began = ledger.begunAndRunning
    ledger.endChanges()
    #expect(began.count == 1)
    #expect(Set(began) == ledger.running)
    end.finish()
    graph.close()
  }
}
