// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@testable import Sessions

@MainActor @Suite struct `A ledger of runs` {
  private final class Owner {}

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
    let began = ledger.begun {
      // The memory of these runs is freed and used again, so a later run may have the same address.
      for _ in 0..<100 {
        ledger.changeBegins()
        running.over.execute(())
      }
      ledger.changeBegins()
      running.waiting.execute(())
      for index in 0..<100 { #expect(ledger.firstRun(ofChange: index).map(ledger.isRunning) == false, "run \(index)") }
      #expect(ledger.firstRun(ofChange: 100).map(ledger.isRunning) == true)
    }
    #expect(began.count == 1)
    #expect(Set(began) == ledger.running)
    end.finish()
    graph.close()
  }
}
