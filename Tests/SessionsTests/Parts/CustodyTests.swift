// SPDX-License-Identifier: MIT
import Testing

@testable import Sessions

@Suite struct `The custody of a session's changes` {
  private let now = ContinuousClock.now

  @Test func `begins with a change that says that the session is new, if it is`() {
    let custody = Custody(isNew: true, lastUsed: now)
    #expect(custody.isUnsaved && custody.isUntouched && custody.next == .first)
    #expect(custody.handOver(1, lastUsed: now) == (true, 0))
    custody.noteHandedOver(as: 40)
    #expect(custody.handOver(2, lastUsed: now) == (false, 40))
  }

  @Test func `begins with a change that builds on what was loaded, if the session was`() {
    let custody = Custody(isNew: false, lastUsed: now)
    #expect(!custody.isUnsaved && !custody.isUntouched)
    #expect(custody.handOver(1, lastUsed: now + .seconds(1)) == (false, 0))
    #expect(custody.storedUse == now + .seconds(1))
  }

  @Test func `is all of it once the store has lost changes, and is handed over once for all of them`() {
    let custody = Custody(isNew: false, lastUsed: now)
    for number in UInt64(1)...3 {
      _ = custody.handOver(number, lastUsed: now)
      custody.noteHandedOver(as: number + 10)
    }
    #expect(custody.noteLoss(at: 2) == true)
    #expect(custody.isUnsaved && custody.isWhole)
    #expect(custody.noteLoss(at: 3) == false, "the same loss, told of the next change")
    #expect(custody.handOver(4, lastUsed: now) == (true, 0))
    custody.noteHandedOver(as: 14)
    #expect(custody.noteLoss(at: 3) == false, "the change on its way has all parts")
    #expect(custody.next == .change(since: 14))
    #expect(custody.noteLoss(at: 5) == true, "a later loss")
  }

  @Test func `holds the outputs of a turn until they are taken`() {
    let custody = Custody(isNew: false, lastUsed: now)
    custody.hold { _ in }
    custody.hold { _ in }
    #expect(custody.takeOutputs().count == 2)
    #expect(custody.takeOutputs().isEmpty)
  }
}
