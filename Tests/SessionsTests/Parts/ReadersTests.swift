// SPDX-License-Identifier: MIT
import Testing

@testable import Sessions
@testable import Storing

@Suite struct `The readers of a session` {
  private let anna = Credential(hashing: "anna")
  private let bob = Credential(hashing: "bob")
  private var readers = Readers()

  /// Adds a reader.
  private mutating func add(_ client: Credential?) -> Waiter {
    let waiter = Waiter.poll(since: Version(epoch: "e", revision: 1), of: client.map { Requester($0) })
    readers.add(WaitingPlace(waiter: waiter, answer: { _ in }, since: waiter.since))
    return waiter
  }

  @Test mutating func `make room by the one that has waited longest`() {
    let waiters = (0..<3).map { _ in add(anna) }
    #expect(readers.removeOldest()?.waiter === waiters[0])
    #expect(readers.removeOldest()?.waiter === waiters[1])
    #expect(readers.count == 1)
  }

  @Test mutating func `stay in the order of their coming, and are found, however many come and go`() {
    var waiters: [Waiter] = []
    for number in 0..<1_000 {
      waiters.append(add(anna))
      // Two of three go again, those that came first and last among them.
      if number % 3 != 0 {
        let gone = waiters.remove(at: number % 2 == 0 ? 0 : waiters.count - 1)
        #expect(readers.remove(gone)?.waiter === gone)
        #expect(readers[gone]?.waiter == nil)
      }
    }
    #expect(readers.waiters.map(ObjectIdentifier.init) == waiters.map(ObjectIdentifier.init))
    #expect(waiters.allSatisfy { readers[$0]?.waiter === $0 })
    for waiter in waiters { #expect(readers.removeOldest()?.waiter === waiter) }
    #expect(readers.isEmpty && readers.removeOldest()?.waiter == nil)
    let last = add(bob)
    #expect(readers.removeAll().map(\.waiter).first === last)
  }

  @Test mutating func `are taken out once`() {
    let waiter = add(anna)
    #expect(readers.remove(waiter)?.waiter === waiter)
    #expect(readers.remove(waiter).map(\.waiter) == nil)
    #expect(readers.isEmpty)
  }

  @Test(arguments: [(false, 2), (true, 1)])
  mutating func `are taken out by their client, with those of the owner unless that is strict`(
    isStrict: Bool, count: Int
  ) {
    let (own, others) = (add(nil), add(bob))
    let hers = add(anna)
    let removed = readers.removeAll(of: anna, isStrict: isStrict)
    #expect(removed.count == count && removed.contains { $0.waiter === hers })
    #expect(readers[others] != nil)
    #expect((readers[own] != nil) == isStrict)
  }

  @Test mutating func `keep the version that they were handed, for as long as they wait`() {
    let waiter = add(anna)
    readers[waiter]?.since = Version(epoch: "e", revision: 2)
    #expect(readers[waiter]?.since?.revision == 2)
    var place = readers.remove(waiter)
    place?.since = nil
    readers[waiter] = place
    #expect(readers.isEmpty)
  }
}
