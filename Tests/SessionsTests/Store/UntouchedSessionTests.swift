// SPDX-License-Identifier: MIT
import Testing

@testable import Sessions

/// A session that no request has found since its opening, and a process that dies meanwhile (PROTOCOL §2).
@Suite(.timeLimit(.minutes(5))) struct `A stored session that nobody has used after its opening` {
  private func host(_ store: MemorySessions, _ clock: ManualClock) throws -> StoredHost {
    try StoredHost(store, clock: clock) { configuration in
      configuration.idleTime = .seconds(600)
      configuration.storedTime = .seconds(86_400)
    }
  }

  /// Opens a session and waits until it is stored. No request finds it.
  private func open(_ host: StoredHost) async throws -> SessionHost.Opened {
    let opened = try host.host.open("note", as: nil)
    _ = opened.session.enter { $0.version }
    #expect(await opened.session.stored() == nil)
    return opened
  }

  private func pass(_ seconds: Int, _ host: StoredHost) async throws {
    for _ in 0..<seconds / 10 {
      host.clock.advance(by: .seconds(10))
      host.host.expire()
      await host.host.drained()
      try await host.swept()
    }
  }

  private func isThere(_ opened: SessionHost.Opened, _ host: StoredHost) async throws -> Bool {
    if case .session = try await host.find(opened.session.id, as: opened.newKey) { true } else { false }
  }

  @Test func `is forgotten minutes after the next process began, and those that were used are not`() async throws {
    let (store, clock) = (MemorySessions(), ManualClock())
    let before = try host(store, clock)
    let (read, changed) = (try await open(before), try await open(before))
    #expect(try await isThere(read, before))
    #expect(try await isThere(changed, before))
    _ = try changed.session.now { try $0.rename("mine") }
    #expect(await changed.session.stored() == nil)
    // At its first look, the host stores that `read` is in use, which was only read.
    try await pass(310, before)
    let untouched = try await open(before)
    let after = try host(MemorySessions(sharing: store), clock)
    #expect(try await after.host.all(limit: 9).count == 3)
    // Clients of the process before have the idle time to come back.
    try await pass(590, after)
    #expect(try await after.host.all(limit: 9).count == 3)
    try await pass(60, after)
    #expect(try await after.host.all(limit: 9).map(\.id) == [read, changed].map(\.session.id).sorted())
    #expect(try await isThere(untouched, after) == false)
    for opened in [read, changed] { #expect(try await isThere(opened, after)) }
  }

  @Test func `stays as any other where its client comes back to the next process`() async throws {
    let (store, clock) = (MemorySessions(), ManualClock())
    let opened = try await open(host(store, clock))
    let second = try host(MemorySessions(sharing: store), clock)
    #expect(try await isThere(opened, second))
    try await pass(310, second)
    // The second process dies as well.
    let third = try host(MemorySessions(sharing: store), clock)
    try await pass(2_000, third)
    #expect(try await isThere(opened, third))
  }
}
