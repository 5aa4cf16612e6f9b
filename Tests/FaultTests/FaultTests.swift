// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Glibc
import Testing

/// PROTOCOL §9, its first seven rows: 2,000 runs of 50 steps, and controls that show that a run would find what is wrong.
///
/// `EURIPUS_FAULT_SEED` repeats one run, and prints what happened in it.
@Suite(.timeLimit(.minutes(5))) struct FaultTests {
  private static let repeated = getenv("EURIPUS_FAULT_SEED").flatMap { UInt64(String(cString: $0)) }
  static let isTraced = repeated != nil

  let server: TestServer

  init() throws { server = try TestServer([.hosting { Ledger() }]) }

  @Test(arguments: 0..<8)
  func `every client ends with the state there is, and what it asked for is done once and in order`(shard: Int) throws {
    let first = Self.repeated ?? UInt64.random(in: 0...UInt64.max)
    var total = FaultRun.Counts()
    for number in 0..<(Self.isTraced ? 1 : 250) {
      let seed = first &+ UInt64(number)
      let run = try FaultRun(seed: seed, port: server.port, settings: Self.settings(of: seed))
      do { try run.run() } catch {
        Issue.record("EURIPUS_FAULT_SEED=\(seed): \(error)")
        for line in run.trace { print(line) }
        return
      }
      total.operations += run.counts.operations
      total.arrivals += run.counts.arrivals
      total.repeated += run.counts.repeated
      total.frames += run.counts.frames
      total.events += run.counts.events
    }
    print("faults from seed \(first): \(total)")
    guard !Self.isTraced else { return }
    // A run that did nothing would find nothing.
    #expect(total.operations > 250 * 6 && total.repeated > 250 * 3 && total.frames > 250 * 4 && total.events > 250)
  }

  private static func settings(of seed: UInt64) -> FaultRun.Settings {
    var settings = FaultRun.Settings()
    settings.keys = seed % 2 == 0 ? .numbers : .texts
    settings.clients = seed % 3 == 0 ? 2 : 1
    settings.streams = seed / 6 % 2 == 0
    return settings
  }

  /// In each of these something is wrong that the runs above are there to find.
  @Test(arguments: Control.allCases)
  func `a fault in a client or in the server is found`(control: Control) throws {
    let first = UInt64.random(in: 0...UInt64.max)
    for number in 0..<2_000 {
      let seed = first &+ UInt64(number)
      let run = try FaultRun(seed: seed, port: server.port, settings: control.settings)
      do { try run.run() } catch let finding as Finding {
        print("control \(control), run \(number): \(finding.description.prefix(200))")
        return
      }
    }
    Issue.record("2,000 runs from seed \(first) found nothing wrong")
  }

  enum Control: CaseIterable {
    /// Retries are not known from new requests.
    case clientWithoutKeys
    /// As a server would that has no memory of them.
    case numbersForgotten, textsForgotten
    /// As a server would that remembers numbers but does not mind their order.
    case orderForgotten
    case clientThatAppliesEveryPatch, clientThatTakesEveryState

    var settings: FaultRun.Settings {
      var settings = FaultRun.Settings()
      switch self {
      case .clientWithoutKeys: settings.keys = .none
      case .numbersForgotten: settings.tampering = .losesKeys
      case .textsForgotten: (settings.keys, settings.tampering) = (.texts, .losesKeys)
      case .orderForgotten: settings.tampering = .makesNumbersTexts
      case .clientThatAppliesEveryPatch: settings.fault = .appliesWhatDoesNotFit
      case .clientThatTakesEveryState: settings.fault = .takesOldStates
      }
      return settings
    }
  }
}
