// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Random scripts, performed on the core and on its plain twin. The two must not differ in anything that is defined.
///
/// `EURIPUS_SEED` sets the seed, which a failure prints. `EURIPUS_SCRIPTS` is the number of scripts of each part.
@Suite(.serialized) struct `Random scripts` {
  static let stepsOfScript = 30
  static let scripts = count(orElse: 100)

  static func environment(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  /// The number of scripts to perform.
  static func count(orElse count: Int) -> Int { environment("EURIPUS_SCRIPTS").map { Int($0) } ?? count }

  /// The parts run one after the other, so that the rest of the tests keep a thread of the pool.
  @Test(arguments: 0..<8)
  func `the core comes to the same as its plain twin`(part: Int) throws {
    let first = Self.environment("EURIPUS_SEED") ?? 20_260_101 + UInt64(part) * 1_000_000
    for seed in first..<first + UInt64(Self.scripts) {
      var generator = ScriptGenerator(seed: seed)
      let script = generator.script(steps: Self.stepsOfScript)
      guard let (shrunk, difference) = try Comparison.shrink(script) else { continue }
      Issue.record("seed \(seed)\n\(shrunk)\n\(difference)")
      return
    }
  }
}
