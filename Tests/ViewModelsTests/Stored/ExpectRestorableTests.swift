// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@Suite(.timeLimit(.minutes(5))) struct `Expecting a view model to be restorable` {
  /// A counter that forgets what it is asked to.
  final class Counter: ViewModel {
    let count = Observable(0)
    let secret = Observable("")
    fileprivate var step = 1
    let more = Observer<Void>()
    let faster = Observer<Void>()
    init() {
      more.handle(self) { counter, _ in counter.count.value += counter.step }
      faster.handle(self) { counter, _ in counter.step += 1 }
    }
    static let surface = Surface<Counter>(
      "counter", .value("count", \.count), .secret("secret", \.secret), .action("more", \.more),
      .action("faster", \.faster))
  }

  final class GoodCounter: ViewModel {
    let counter = Counter()
    static let surface = Surface<GoodCounter>(
      "good", .nested("counter", \.counter), .stored("step", \.counter.step))
  }

  final class Unlisted: ViewModel {
    let rows = KeyedList<Counter>()
    let add = Observer<String>()
    init() { add.handle(self) { model, key in model.rows.append(Counter(), key: key) } }
    static let surface = Surface<Unlisted>("unlisted", .list("rows", \.rows).orderNotStored(), .action("add", \.add))
  }

  final class Unheard: ViewModel {
    let shown = Observable("")
    private lazy var wait = Command<Void, Void>(self) { _, _, _ in try await Task.sleep(for: .seconds(1_000)) }
    let begin = Observer<Void>()
    init() {
      wait.executing.addObserver(Observer(self) { $0.shown.value = $1 ? "busy" : "" })
      begin.handle(self) { model, _ in model.wait.execute((), isolation: nil) }
    }
    static let surface = Surface<Unheard>("unheard", .value("shown", \.shown), .action("begin", \.begin))
  }

  private func failure(_ body: () async throws -> Void) async -> String {
    do { try await body() } catch { return "\(error)" }
    return "no error"
  }

  @Test func `passes one that remembers all`() async throws {
    try await expectRestorable { GoodCounter() }
  }

  @Test func `finds a variable that is not stored, and says how to repeat it`() async throws {
    let text = await failure { try await expectRestorable(seed: 1) { Counter() } }
    #expect(text.contains("/count: expected"), "got: \(text)")
    #expect(text.contains("seed 1,"))
    #expect(text.contains(#".stored("name", \.property)"#))
    #expect(await failure { try await expectRestorable(seed: 1) { Counter() } } == text)
  }

  @Test func `finds rows that are not stored`() async throws {
    let text = await failure { try await expectRestorable { Unlisted() } }
    #expect(text.contains("right after the restart it shows something else:\n  /rows/order"), "got: \(text)")
  }

  @Test func `finds a command that nobody declared`() async throws {
    let text = await failure { try await expectRestorable(rounds: 1, steps: 1, seed: 1) { Unheard() } }
    #expect(text.contains(#"/shown: expected "", got "busy""#), "got: \(text)")
  }
}
