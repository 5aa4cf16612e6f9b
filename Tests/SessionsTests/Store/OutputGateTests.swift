// SPDX-License-Identifier: MIT
import Locking
import Testing

@testable import Sessions

/// The gate that holds answers back until the store has what they show.
@Suite struct `The gate of a stored session's outputs` {
  private let gate = OutputGate(begun: 0)
  private let told = Locked<[String]>([])

  private func pass(_ name: String, after change: UInt64) {
    gate.pass(
      { [told] error in told.withLock { $0.append(error == nil ? name : "\(name) failed") } }, after: change)
  }

  private func end(_ change: UInt64, _ failure: SessionError? = nil) { gate.end(change, failure, .now).tell() }

  @Test func `tells an output once its change is stored, in the order of the changes`() {
    for change in UInt64(1)...2 {
      #expect(gate.begin(.now) == change)
      pass("\(change)", after: gate.last)
    }
    end(1)
    #expect(told.withLock(\.self) == ["1"])
    end(2)
    #expect(told.withLock(\.self) == ["1", "2"])
  }

  @Test func `tells an output of what is stored, though a later change fails before it is passed`() {
    #expect(gate.begin(.now) == 1)
    let last = gate.last
    end(1)
    #expect(gate.begin(.now) == 2)
    pass("of the second", after: gate.last)
    end(2, .left)
    pass("of the first", after: last)
    pass("of the second once more", after: gate.last)
    #expect(told.withLock(\.self) == ["of the second failed", "of the first", "of the second once more failed"])
  }
}
