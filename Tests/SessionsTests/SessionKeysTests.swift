// SPDX-License-Identifier: MIT
import Testing

@testable import Sessions
@testable import Storing
@testable import ViewModels

/// The memory of keys in a session of several clients.
@Suite struct `The keys of a session's clients` {
  private static let limits = KeyMemory.Limits(keys: 100, names: 100, bytes: 40 * KeyMemory.keyBytes)
  private var keys = SessionKeys(limits: limits)
  private let now = ContinuousClock.now
  private let moment = Moment.now

  private func request(_ key: String, of client: Int?) throws -> KeyedRequest {
    var request = try Driven.request(key)
    request.client = client.map { Credential(counted: "client \($0)") }
    return request
  }

  private mutating func send(_ key: String, of client: Int?, _ text: String = "") throws -> KeyMemory.Decision {
    let request = try request(key, of: client)
    let decision = keys.decision(on: request, now: now)
    if decision == .new { keys.remember(request, Driven.answer(text), now: now) }
    return decision
  }

  @Test(arguments: ["a", "tab/1"]) mutating func `are each client's own`(key: String) throws {
    for client in [nil, 1, 2] { #expect(try send(key, of: client, "\(client as Any)") == .new) }
    for client in [nil, 1, 2] { #expect(try send(key, of: client) == .answered(Driven.answer("\(client as Any)"))) }
  }

  @Test(arguments: ["a", "tab/1"]) mutating func `are kept for one, however many others send`(key: String) throws {
    #expect(try send(key, of: 0) == .new)
    for client in 1...40 {
      for number in 0..<60 { _ = try send("\(number)", of: client) }
    }
    for client in 1...40 {
      for number in 0..<60 { _ = try send("name\(number)/1", of: client) }
    }
    #expect(try send(key, of: 0) == .answered(Driven.answer("")))
    #expect(keys.bytes <= Self.limits.bytes * SessionKeys.shares)
    #expect(keys.losses.keys > 0)
  }

  @Test mutating func `lose answers before keys, and those of the client first that has most`() throws {
    let long = String(repeating: "x", count: 1_000)
    for client in 1...8 { #expect(try send("tab/1", of: client, client == 3 ? "" : long) == .new) }
    for number in 0..<30 { _ = try send("\(number)", of: 9, long) }
    #expect(keys.losses.keys == 0 && keys.losses.answers > 0)
    #expect(try send("tab/1", of: 3) == .answered(Driven.answer("")))
    for client in 1...8 { #expect(try send("tab/1", of: client) != .new) }
  }

  @Test mutating func `are stored and read, and those of the owner alone as ever`() throws {
    _ = try send("tab/1", of: nil, "one")
    let alone = keys.encoded(at: moment)
    #expect(try KeyMemory(decoding: alone, limits: Self.limits, at: moment).nameCount == 1)
    _ = try send("tab/1", of: 2, "two")
    _ = try send("a", of: 1, "three")
    let bytes = keys.encoded(at: moment)
    var read = try SessionKeys(decoding: bytes, limits: Self.limits, at: moment)
    #expect(read.encoded(at: moment) == bytes && read.bytes == keys.bytes)
    for (key, client, text) in [("tab/1", nil, "one"), ("tab/1", 2, "two"), ("a", 1, "three")] {
      #expect(read.decision(on: try request(key, of: client), now: now) == .answered(Driven.answer(text)))
    }
    for count in 0..<bytes.count {
      #expect(throws: StoredBytesError.self) {
        try SessionKeys(decoding: Array(bytes[..<count]), limits: Self.limits, at: moment)
      }
    }
  }

  @Test mutating func `never forget what is at work`() throws {
    let request = try request("a", of: 1)
    keys.remember(request, nil, isAtWork: true, now: now)
    for client in 2...60 { for number in 0..<30 { _ = try send("\(number)", of: client) } }
    #expect(keys.decision(on: request, now: now) == .atWork)
  }
}
