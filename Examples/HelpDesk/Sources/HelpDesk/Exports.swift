// SPDX-License-Identifier: MIT
import EuripusApp
import Synchronization

/// The lists that agents have exported, each by a key that nobody guesses. The last ten are kept.
final class Exports: Sendable {
  private let kept = Mutex<[(key: String, lines: [[String]])]>([])

  /// - Returns: the key.
  func keep(_ lines: [[String]]) -> String {
    let key = String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt64.random(in: .min ... .max), radix: 36)
    kept.withLock { $0 = Array(($0 + [(key, lines)]).suffix(10)) }
    return key
  }

  func lines(_ key: String) -> [[String]]? { kept.withLock { $0.first { $0.key == key }?.lines } }
}
