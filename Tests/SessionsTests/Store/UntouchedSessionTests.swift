// SPDX-License-Identifier: MIT
import Testing

@testable import Sessions
@testable import Storing

/// A session that no request has found since its opening, and a process that dies meanwhile (PROTOCOL §2).
@Suite(.timeLimit(.minutes(30))) struct `A stored session that nobody has used after its opening` {
  private func host(_ store: MemorySessions, _ clock: ManualClock) throws -> StoredHost {
    try StoredHost(store, clock: clock) { configuration in
      configuration.idleTime = .seconds(600)
      configuration.storedTime = .seconds(86_400)
    }
  }

  private func isThere(_ opened: SessionHost.Opened, _ host: StoredHost) async throws -> Bool {
    try await host.find(opened.session.id, as: opened.newKey).text == "session"
  }

  @Test func `is forgotten minutes after the next process began, and those that were used are not`() async throws {
    let (store, clock) = (MemorySessions(), ManualClock())
    let before = try host(store, clock)
    let (read, changed) = (try await before.open(isFound: false), try await before.open(isFound: false))
    #expect(try await isThere(read, before))
    #expect(try await isThere(changed, before))
    _ = try changed.session.now { try $0.rename("mine") }
    #expect(await changed.session.stored() == nil)
    // At its first look, the host stores that `read` is in use, which was only read.
    try await before.pass(310, by: 10)
    let untouched = try await before.open(isFound: false)
    let after = try host(MemorySessions(sharing: store), clock)
    #expect(try await after.host.all(limit: 9).count == 3)
    // Clients of the process before have the idle time to come back.
    try await after.pass(590, by: 10)
    #expect(try await after.host.all(limit: 9).count == 3)
    try await after.pass(60, by: 10)
    #expect(try await after.host.all(limit: 9).map(\.id) == [read, changed].map(\.session.id).sorted())
    #expect(try await isThere(untouched, after) == false)
    for opened in [read, changed] { #expect(try await isThere(opened, after)) }
  }

  @Test func `stays as any other where its client comes back to the next process`() async throws {
    let (store, clock) = (MemorySessions(), ManualClock())
    let opened = try await host(store, clock).open(isFound: false)
    let second = try host(MemorySessions(sharing: store), clock)
    #expect(try await isThere(opened, second))
    try await second.pass(310, by: 10)
    // The second process dies as well.
    let third = try host(MemorySessions(sharing: store), clock)
    try await third.pass(2_000, by: 10)
    #expect(try await isThere(opened, third))
  }
}
