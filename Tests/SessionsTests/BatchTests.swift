// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
import Seeded
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

/// A view model whose parts depend on each other in every way. It has combiners, a computed, an observer that
/// writes, a list, and conditions that its own actions change.
private final class Desk: ViewModel {
  final class Paper: ViewModel {
    let text = Observable("")
    let stamp = Observer<Int>()
    let stamps = Observable(0)
    init() { stamp.handle(self) { $0.stamps.value += $1 } }
    static let surface = Surface<Paper>(
      "paper", .twoWay("text", \.text), .value("stamps", \.stamps), .action("stamp", \.stamp))
  }

  struct Failure: Error {}
  let left = Observable(0)
  let right = Observable(0)
  let sum = ObservableCombiner<Int>(.every, 0)
  let first = ObservableCombiner<Int>(.first, 0)
  let both = ObservableCombiner<Int>(.all, 0)
  let isEven: Computed<Bool>
  let history = Observable<[Int]>([])
  let papers = KeyedList<Paper>()
  let key = Observable("")
  let add = Observer<Int>()
  let halve = Observer<Void>()
  let file = Observer<String>()
  let shred = Observer<String>()
  let turn = Observer<Void>()
  let fail = Observer<Void>()

  init() {
    let (left, right) = (left, right)
    sum.combine(left, right).handle { $0 + $1 }
    first.combine(left, right).handle { $0 * 10 + $1 }
    both.combine(left, right).handle { $0 - $1 }
    isEven = Computed { (left.value + right.value) % 2 == 0 }
    sum.addObserver(Observer(self) { $0.history.value = Array(($0.history.value + [$1]).suffix(5)) })
    add.handle(self) { $0.left.value += $1 }
    halve.handle(self) { desk, _ in
      desk.left.value /= 2
      desk.right.value /= 2
    }
    file.handle(self) { $0.papers.put(Paper(), key: $1) }
    shred.handle(self) { $0.papers.remove($1) }
    turn.handle(self) { desk, _ in desk.papers.update(desk.papers.keys.reversed()) { _ in Paper() } }
    fail.handle(self) { desk, _ in
      desk.left.value = -1
      desk.papers.append(Paper(), key: "half done")
      throw Failure()
    }
  }

  static let surface = Surface<Desk>(
    "desk", .twoWay("left", \.left), .twoWay("right", \.right), .value("sum", \.sum), .value("first", \.first),
    .value("both", \.both), .value("isEven", \.isEven), .value("history", \.history), .secret("key", \.key),
    .list("papers", \.papers), .action("add", \.add), .action("halve", \.halve, when: \.isEven),
    .action("file", \.file), .action("shred", \.shred), .action("turn", \.turn), .action("fail", \.fail))
}

@Suite struct `A batch, whatever is in it` {
  static let seed = SeededGenerator.seed

  private func entry(_ generator: inout SeededGenerator) -> Change {
    let key = ["a", "b", "c"].randomElement(using: &generator) ?? ""
    let number = JSON.integer(Int64.random(in: -2...2, using: &generator))
    return switch Int.random(in: 0..<30, using: &generator) {
    case 0..<4: .set(["left"], number)
    case 4..<8: .set(["right"], number)
    case 8..<10: .set(["key"], .string(Bool.random(using: &generator) ? "" : key))
    case 10..<13: .perform(["add"], number)
    case 13..<16: .perform(["halve"], nil)
    case 16..<20: .perform(["file"], .string(key))
    case 20..<22: .perform(["shred"], .string(key))
    case 22: .perform(["turn"], nil)
    case 23..<25: .set(["papers", "items", key, "text"], .string(key + key))
    case 25..<27: .perform(["papers", "items", key, "stamp"], number)
    case 27: .perform(["fail"], nil)
    case 28: .set(["left"], .string(key))
    default: .perform(["nope"], nil)
    }
  }

  private func one(_ session: isolated Session, _ entry: Change) throws {
    switch entry.verb {
    case .set(let value): _ = try session.assign(entry.path, value, since: nil, ifMatch: nil)
    case .perform(let value): _ = try session.perform(entry.path, value, since: nil, ifMatch: nil)
    case .cancel: _ = try session.cancel(entry.path, since: nil, ifMatch: nil)
    case .address, .prefer, .uploads: _ = try session.make([entry], since: nil, ifMatch: nil)
    }
  }

  private func state(_ session: Session) throws -> JSON? { try session.now { try $0.snapshot() }.value["state"] }

  /// One session gets batches. The other gets the same changes one by one, and none of a refused batch.
  @Test func `leaves the same as its entries one by one, or nothing at all`() throws {
    var generator = SeededGenerator(seed: Self.seed)
    var (passed, refused) = (0, 0)
    for round in 0..<40 {
      let host = SessionHost.still([.hosting { Desk() }])
      let session = try host.open("desk", as: nil).session
      var history: [Change] = []
      for _ in 0..<8 {
        let batch = (0..<Int.random(in: 1...6, using: &generator)).map { _ in entry(&generator) }
        let before = try session.now { try $0.snapshot() }
        let frame = try? session.now { try $0.make(batch, isList: true, since: nil, ifMatch: nil) }
        let after = try session.now { try $0.snapshot() }
        let twin = try host.open("desk", as: nil).session
        for entry in history { try twin.now { try self.one($0, entry) } }
        let failing = try batch.first { entry in
          try twin.now { session in (try? self.one(session, entry)) == nil }
        }
        #expect((frame == nil) == (failing != nil), "seed \(Self.seed), round \(round): \(batch)")
        guard let frame else {
          refused += 1
          #expect(after == before, "seed \(Self.seed), round \(round): \(batch)")
          continue
        }
        passed += 1
        history += batch
        #expect(try state(session) == state(twin), "seed \(Self.seed), round \(round): \(batch)")
        #expect(after.version.revision - before.version.revision <= 1)
        var patched = try #require(try before.value["state"])
        if let patch = try frame.value["patch"] {
          patched = try patched.applying([PatchOperation](json: patch))
        } else {
          patched = try #require(try frame.value["state"])
        }
        #expect(try patched == state(session), "seed \(Self.seed), round \(round): \(batch)")
      }
    }
    // The comparison would prove nothing if all batches passed, or none.
    #expect(passed > 30 && refused > 30)
  }
}

/// A view model that writes down the key of each action, and of each command when it begins.
private final class Register: ViewModel {
  let context: SessionContext
  @Observed var keys: [String] = []

  init(_ context: SessionContext) { self.context = context }

  func note() { keys.append(context.action?.key ?? "none") }
  nonisolated(nonsending) func noteLater() async throws { note() }

  static let surface = Surface<Register>(
    "register", .value("keys", \.$keys), .action("note", Register.note), .command("first", Register.noteLater),
    .command("second", Register.noteLater))
}

@Suite struct `The key of an action` {
  @Test func `is another one in each action of a batch, and in each command that it starts`() throws {
    let host = SessionHost.still([.hosting { Register($0) }])
    let session = try host.open("register", as: nil).session
    let request = ChangeRequest.waiting(
      for: ["first", "second", "note", "note"].map { .perform([$0], nil) },
      key: KeyedRequest(key: .text("k"), digest: Digest(method: "POST", path: [], body: [], key: nil)))
    let state = try session.now { session in
      session.begin(request) { _ in }
      return try session.snapshot()
    }.value["state"]
    // Commands begin when all entries have passed.
    #expect(state?["keys"] == ["k 2", "k 3", "k", "k 1"])
  }

  @Test func `is made by the server for a request without one, and another one for each`() throws {
    let host = SessionHost.still([.hosting { Register($0) }])
    let session = try host.open("register", as: nil).session
    let state = try session.now { session in
      for _ in 0..<2 { _ = try session.make([.perform(["note"], nil), .perform(["note"], nil)], isList: true) }
      return try session.snapshot()
    }.value["state"]
    guard case .array(let keys)? = state?["keys"] else { return #expect(Bool(false), "\(String(describing: state))") }
    let texts = keys.compactMap { if case .string(let text) = $0 { text } else { nil } }
    #expect(texts.count == 4 && Set(texts).count == 4 && !texts.contains("none"))
    #expect(texts[1] == texts[0] + " 1" && texts[3] == texts[2] + " 1")
  }
}
