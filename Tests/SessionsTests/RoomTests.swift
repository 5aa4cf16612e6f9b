// SPDX-License-Identifier: MIT
import JSONPatching
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

@Suite struct `Room in memory` {
  private let clock = ManualClock()

  private func host(_ set: (inout SessionConfiguration) -> Void = { _ in }) -> SessionHost {
    SessionHost([.hosting { Note() }], configuration: .with(set), now: { clock.now })
  }

  /// A host with memory for so many new sessions.
  private func host(memoryFor sessions: Int, mostPerClient: Int = 20) throws -> SessionHost {
    let probe = host()
    _ = try probe.open("note", as: nil)
    return host {
      $0.maxMemoryBytes = probe.memoryBytes * sessions
      $0.maxSessionsPerClient = mostPerClient
    }
  }

  private func pass(_ seconds: Int, _ host: SessionHost) {
    clock.advance(by: .seconds(seconds))
    host.expire()
  }

  private func isOpen(_ session: Session, of host: SessionHost) -> Bool {
    if case .living = host.table.find(session.id) { true } else { false }
  }

  private func refusal(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch { return "\(error)" }
  }

  @Test func `is made of sessions that were not used, most from the network that has most, the oldest first`() throws {
    let host = host { $0.maxSessions = 64 }
    let (many, few) = (ClientNetwork.version4(1), ClientNetwork.version4(2))
    let ofFew = try (0..<21).map { _ in try host.open("note", as: nil, from: few) }
    let ofMany = try (0..<40).map { _ in
      pass(1, host)
      return try host.open("note", as: nil, from: many)
    }
    let used = ofMany[1]
    _ = try host.find("note", used.session.id, as: used.credential)
    pass(11, host)
    // There were 61 sessions, one more than 15/16 of the limit. The host makes room down to 7/8 of it.
    #expect(host.count == 56)
    #expect(ofFew.allSatisfy { isOpen($0.session, of: host) })
    let gone = ofMany.indices.filter { !isOpen(ofMany[$0].session, of: host) }
    #expect(gone == [0, 2, 3, 4, 5])
  }

  @Test func `is not made of a session that a client has just got, nor where there is enough`() throws {
    let host = host { $0.maxSessions = 64 }
    for _ in 0..<60 { _ = try host.open("note", as: nil) }
    pass(11, host)
    #expect(host.count == 60)
    for _ in 0..<2 { _ = try host.open("note", as: nil) }
    pass(9, host)
    // The two new sessions of the 62 stay.
    #expect(host.count == 56)
    pass(11, host)
    #expect(host.count == 56)
  }

  @Test(arguments: [(1, 1, 1), (7, 6, 0), (7, 7, 1), (15, 14, 0), (15, 15, 2), (31, 29, 0), (31, 30, 3)])
  func `is made at fifteen sixteenths, of all above seven eighths`(most: Int, count: Int, leave: Int) throws {
    let host = host { $0.maxSessions = most }
    for _ in 0..<count { _ = try host.open("note", as: nil) }
    pass(11, host)
    #expect(host.count == count - leave)
  }

  @Test func `is counted with the keys that a session remembers, of refused requests too`() throws {
    let host = host()
    let session = try host.open("note", as: nil).session
    let before = host.memoryBytes
    for number in 1...50 {
      let key = KeyedRequest(key: .text("key \(number)"), digest: Digest(counted: "\(number)"))
      let malformed = ChangeRequest(.failure(Note.Failure()), key: key, waitsForCommands: false) {
        ChangeRequest.Refusal($0, kept: .other(form: 400, body: [UInt8](repeating: 0x61, count: 200), version: nil))
      }
      try session.now { $0.begin(malformed) { _ in } }
    }
    #expect(host.memoryBytes >= before + 50 * (KeyMemory.keyBytes + 200) - 1_024)
  }

  @Test func `is counted as sessions come, grow and go`() throws {
    let host = host()
    let opened = try host.open("note", as: nil)
    let first = host.memoryBytes
    #expect(first > 0)
    #expect(opened.session.use.bytes == first)
    try opened.session.now { try $0.rename(String(repeating: "x", count: 10_000)) }
    #expect(host.memoryBytes >= first + 10_000)
    try opened.session.now { try $0.rename("") }
    #expect(host.memoryBytes == first)
    let secret = JSON.string(String(repeating: "x", count: 10_000))
    _ = try opened.session.now { try $0.assign(["key"], secret, since: nil, ifMatch: nil) }
    #expect(host.memoryBytes >= first + 10_000)
    host.close(opened.session)
    #expect(host.memoryBytes == 0)
    #expect(opened.session.use.bytes == 0)
  }

  @Test func `that one client has used its part of lets no secret grow beyond that of a small state`() throws {
    let host = try host(memoryFor: 8)
    let session = try host.open("note", as: nil).session
    func set(_ length: Int) throws {
      let secret = String(repeating: "x", count: length)
      _ = try session.now { try $0.assign(["key"], .string(secret), since: nil, ifMatch: nil) }
    }
    #expect(refusal { try set(5_000) }.contains("it may have 4096"))
    try set(3_000)
  }

  @Test func `that is nearly used up is left to clients that have a session, and then to no client`() throws {
    let host = try host(memoryFor: 64, mostPerClient: 100)
    var clients: [SessionHost.Opened] = []
    let refused = refusal {
      for network in UInt32(1)... { clients.append(try host.open("note", as: nil, from: .version4(network))) }
    }
    #expect(refused.contains("all the memory"))
    #expect(clients.count == 60)
    for client in clients[..<4] { _ = try host.open("note", as: client.credential) }
    #expect(refusal { _ = try host.open("note", as: clients[4].credential) }.contains("all the memory"))
  }

  @Test func `is there for the next session of a client that has one, unless a reader waits in each`() throws {
    let host = host { $0.maxSessions = 16 }
    let opened = try (0..<16).map { _ in try host.open("note", as: nil) }
    let keys = opened.map(\.credential)
    let second = try host.open("note", as: keys[0])
    #expect(refusal { _ = try host.open("note", as: nil) }.contains("16"))
    // A client with a session may exceed the limit by a sixteenth, here one session. Beyond that, its older
    // session makes room.
    _ = try host.open("note", as: keys[1])
    #expect(!isOpen(opened[1].session, of: host))
    #expect(host.count == 17)
    _ = try host.open("note", as: keys[0])
    #expect(!isOpen(opened[0].session, of: host) && isOpen(second.session, of: host))
    let answers = Answers()
    _ = try opened[2].session.now { $0.poll(since: $0.version, waiter: answers.waiter(1)) }
    #expect(refusal { _ = try host.open("note", as: keys[2]) }.contains("16"))
    #expect(isOpen(opened[2].session, of: host) && answers.all == [])
  }

  @Test func `that is scarce is not for newcomers or states of a network that has a quarter of it`() throws {
    let host = try host(memoryFor: 64)
    let many = try (0..<57).map { _ in try host.open("note", as: nil, from: .version4(1)).session }
    #expect(refusal { _ = try host.open("note", as: nil, from: .version4(1)) }.contains("all the memory"))
    let other = try host.open("note", as: nil, from: .version4(2)).session
    let long = String(repeating: "x", count: 5_000)
    #expect(refusal { try many[0].now { try $0.rename(long) } }.contains("all the memory"))
    try other.now { try $0.rename(long) }
  }

  @Test func `is an eighth for one client`() throws {
    let host = try host(memoryFor: 32)
    let key = try host.open("note", as: nil).credential
    for _ in 0..<3 { _ = try host.open("note", as: key) }
    #expect(refusal { _ = try host.open("note", as: key) }.contains("the sessions of this client take more than"))
    _ = try host.open("note", as: nil)
  }

  @Test func `that is used up lets states shrink, and small ones be written`() throws {
    let host = try host(memoryFor: 10)
    let long = String(repeating: "x", count: 8_000)
    let session = try host.open("note", as: nil).session
    // With this text the client has all of its eighth of the memory.
    try session.now { try $0.rename(long) }
    #expect(refusal { try session.now { try $0.rename(long + "x") } }.contains("it may have"))
    try session.now { try $0.rename(String(long.dropLast())) }
    try session.now { try $0.rename("short") }
    try session.now { try $0.rename(long) }
  }
}

@Suite struct `The memory of a machine` {
  @Test(arguments: [
    ("/", [:], 1_000), ("/a/b", ["/a/memory.max": "max\n"], 1_000), ("/a/b", ["/a/memory.max": "300\n"], 300),
    ("/a/b", ["/a/memory.max": "300\n", "/a/b/memory.max": "200\n"], 200), ("/", ["/memory.max": "2000\n"], 1_000),
    ("/a", ["/memory.max": "400\n"], 400),
  ])
  func `is the least that its control groups allow`(group: String, files: [String: String], bytes: Int) {
    let found = MachineMemory.limit(of: group, machine: 1_000) { path in
      files[path.replacing("/sys/fs/cgroup", with: "")]
    }
    #expect(found == bytes)
  }

  @Test func `is found out`() { #expect((1_048_576...).contains(MachineMemory.bytes)) }
}
