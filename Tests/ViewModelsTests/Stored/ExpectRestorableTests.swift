// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@Suite(.timeLimit(.minutes(5))) struct `Expecting a view model to be restorable` {
  /// A counter whose own surface does not store its step.
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

  /// A view model that learns its number from elsewhere, some looks late.
  final class Late: ViewModel {
    let number = Observable(0)
    private let numberDidCome = Observer<Int>()
    init() {
      numberDidCome.handle(self) { model, number in model.number.value = number }
      let numbers = AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        Task {
          // The sleep is the time that another system takes; a look comes every 5 ms.
          for number in 1...5 {
            try? await Task.sleep(for: .milliseconds(7))
            continuation.yield(number)
          }
        }
      }
      numberDidCome.follow(numbers)
    }
    static let surface = Surface<Late>("late", .value("number", \.number).notStored())
  }

  @Test func `waits for what comes from elsewhere`() async throws {
    try await expectRestorable(rounds: 4, steps: 1) { Late() }
  }

  /// A list without a closure that could make its rows again.
  final class Undeclared: ViewModel {
    let rows = KeyedList<Counter>()
    let add = Observer<Void>()
    init() { add.handle(self) { model, _ in model.rows.append(Counter(), key: "\(model.rows.count)") } }
    static let surface = Surface<Undeclared>("undeclared", .list("rows", \.rows), .action("add", \.add))
  }

  @Test func `finds rows that nobody can make again, and says how they are declared`() async {
    let text = await failure { try await expectRestorable { Undeclared() } }
    #expect(text.contains("the row '0' came after the view model was made"), "got: \(text)")
    #expect(text.contains("expected a closure after the list's entry, or '.orderNotStored()'"), "got: \(text)")
  }

  /// A cache outside of the graph, which follows the added numbers.
  final class Cached: ViewModel {
    let numbers = Observable<[Int]>([])
    let shown = Observable(0)
    let (add, show) = (Observer<Int>(), Observer<Void>())
    private var sum = 0
    private let isRemade: Bool
    init(isRemade: Bool) {
      self.isRemade = isRemade
      numbers.addObserver(Observer(self) { model, numbers in model.sum = numbers.count })
      add.handle(self) { model, number in model.numbers.value.append(number) }
      show.handle(self) { model, _ in model.shown.value = model.sum }
    }
    func didRestore() { if isRemade { sum = numbers.value.count } }
    static let surface = Surface<Cached>(
      "cached", .value("numbers", \.numbers), .value("shown", \.shown), .action("add", \.add), .action("show", \.show))
  }

  @Test func `finds a cache that nobody brings in step, and names didRestore`() async throws {
    let text = await failure { try await expectRestorable { Cached(isRemade: false) } }
    #expect(text.contains("/shown: expected"), "got: \(text)")
    #expect(text.contains("'didRestore()'"), "got: \(text)")
    try await expectRestorable { Cached(isRemade: true) }
  }
}
