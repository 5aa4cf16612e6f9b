// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import EuripusTesting
import Glibc
import Testing

/// PROTOCOL §9, its first seven rows: 800 runs of 50 steps, and controls with a fault that a run has to find.
///
/// `EURIPUS_FAULT_SEED` repeats one run and prints its events. `EURIPUS_FAULT_RUNS` is the number of runs; with it, the
/// seeds are new ones.
@Suite(.timeLimit(.minutes(60))) struct FaultTests {
  private static let repeated = getenv("EURIPUS_FAULT_SEED").flatMap { UInt64(String(cString: $0)) }
  static let isTraced = repeated != nil

  /// The number of runs of all threads together.
  private static let asked = getenv("EURIPUS_FAULT_RUNS").flatMap { Int(String(cString: $0)) }
  private static let runs = asked ?? 800
  /// The first seed of all.
  private static let seed = asked == nil ? 0 : UInt64.random(in: 0...UInt64.max)
  private static let threads = 2

  @Test(arguments: 0..<threads)
  func `each client ends with the present state, its requests done once and in order`(thread: Int) async throws {
    let first = Self.repeated ?? Self.seed &+ UInt64(thread * Self.runs)
    let count = Self.isTraced ? 1 : Self.runs / Self.threads
    let (total, finding) = try await Self.aside { try Self.run(count, from: first) }
    if let finding { Issue.record("\(finding)") }
    print("faults from seed \(first): \(total)")
    // Runs that did nothing would find nothing. Fewer than 48 in a row may have no restart by their seeds.
    if count < 48 { return }
    #expect(total.operations > count * 6 && total.repeated > count * 3)
    #expect(total.frames > count * 4 && total.events > count && total.restarts > count / 4)
  }

  private static func run(_ count: Int, from first: UInt64) throws -> (total: FaultRun.Counts, finding: Finding?) {
    var server = try LedgerServers()
    var total = FaultRun.Counts()
    for number in 0..<count {
      let seed = first &+ UInt64(number)
      let run = try FaultRun(
        seed: seed, server: server, settings: settings(of: seed), isRecorded: number % 20 == 0)
      do { try run.run() } catch {
        for line in run.trace { print(line) }
        return (total, Finding(description: "EURIPUS_FAULT_SEED=\(seed): \(error)"))
      }
      total += run.counts
      server = run.server
    }
    return (total, nil)
  }

  private static func settings(of seed: UInt64) -> FaultRun.Settings {
    var settings = FaultRun.Settings()
    settings.keys = seed % 2 == 0 ? .numbers : .texts
    settings.clients = seed % 3 == 0 ? 2 : 1
    settings.streams = seed / 6 % 2 == 0
    settings.restarts = seed / 12 % 4 == 0
    return settings
  }

  /// Each control has a fault that the runs above are there to find.
  @Test(arguments: Control.allCases)
  func `a fault in a client or in the server is found`(control: Control) async throws {
    let finding = try await Self.aside { try Self.finding(control, from: Self.seed) }
    print("control \(control): \(finding?.description.prefix(200) ?? "nothing")")
    #expect(finding != nil, "2,000 runs from seed \(Self.seed) found nothing wrong")
  }

  private static func finding(_ control: Control, from first: UInt64) throws -> Finding? {
    var server = try LedgerServers()
    for number in 0..<2_000 {
      let run = try FaultRun(seed: first &+ UInt64(number), server: server, settings: control.settings)
      do { try run.run() } catch let finding as Finding { return finding }
      server = run.server
    }
    return nil
  }

  /// Runs `body`, which blocks, on a thread of its own: the threads that tasks share are for the other tests.
  private static func aside<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "faults").async { continuation.resume(with: Swift.Result { try body() }) }
    }
  }

  enum Control: CaseIterable {
    /// The client sends no keys, so the server cannot tell a retry from a new request.
    case clientWithoutKeys
    /// The network takes the keys away: the server seems to have no memory of them.
    case numbersForgotten, textsForgotten
    /// The network makes texts of numbers: the server seems to remember them, and not to mind their order.
    case orderForgotten
    case clientThatAppliesEveryPatch, clientThatTakesEveryState, clientThatGoesBackToAnEpoch

    var settings: FaultRun.Settings {
      var settings = FaultRun.Settings()
      switch self {
      case .clientWithoutKeys: settings.keys = .none
      case .numbersForgotten: settings.tampering = .losesKeys
      case .textsForgotten: (settings.keys, settings.tampering) = (.texts, .losesKeys)
      case .orderForgotten: settings.tampering = .makesNumbersTexts
      case .clientThatAppliesEveryPatch: settings.fault = .appliesWhatDoesNotFit
      case .clientThatTakesEveryState: settings.fault = .takesOldStates
      case .clientThatGoesBackToAnEpoch: (settings.restarts, settings.fault) = (true, .goesBackToAnEpoch)
      }
      return settings
    }
  }
}
