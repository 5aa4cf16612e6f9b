// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import Demos

@Suite struct `Logins that fail` {
  private let start = ContinuousClock.now

  /// The seconds that each of some tries has to wait after the one before it.
  private func waits(of tries: Int, _ name: (Int) -> String, _ client: (Int) -> String) throws -> [Int] {
    var attempts = LoginAttempts()
    var now = start
    return try (0..<tries).map { number in
      do throws(LoginRefusal) {
        try attempts.begin(name(number), from: client(number), at: now)
        return 0
      } catch {
        guard case .tooManyTries(let seconds) = error else { throw error }
        now += .seconds(seconds)
        try attempts.begin(name(number), from: client(number), at: now)
        return seconds
      }
    }
  }

  @Test func `are counted by name, and by client`() throws {
    let expected = [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60]
    #expect(try waits(of: 13, { _ in "maruko" }, { "client \($0)" }) == expected)
    #expect(try waits(of: 13, { "name \($0)" }, { _ in "client" }) == expected)
    #expect(try waits(of: 13, { "name \($0)" }, { "client \($0)" }) == expected.map { _ in 0 })
  }

  @Test func `are counted by network, where more may fail, so that new cookies do not help`() throws {
    var attempts = LoginAttempts()
    for number in 0...LoginAttempts.freeOfNetwork {
      try attempts.begin("name \(number)", from: "client \(number)", in: "office", at: start)
    }
    #expect(throws: LoginRefusal.tooManyTries(seconds: 1)) {
      try attempts.begin("another", from: "another", in: "office", at: start)
    }
    try attempts.begin("another", from: "another", in: "elsewhere", at: start)
  }

  @Test func `with a name are forgotten once its owner comes, those of the client are not`() throws {
    var attempts = LoginAttempts()
    for number in 1...4 { try attempts.begin("other \(number)", from: "thief", at: start) }
    try attempts.begin("thief's own", from: "thief", at: start)
    attempts.succeed("thief's own", from: "thief")
    try attempts.begin("other 5", from: "thief", at: start)
    #expect(throws: LoginRefusal.tooManyTries(seconds: 1)) {
      try attempts.begin("thief's own", from: "thief", at: start)
    }
    for _ in 1...5 { try attempts.begin("maruko", from: UUID().uuidString, at: start) }
    attempts.succeed("maruko", from: "a")
    try attempts.begin("maruko", from: "b", at: start)
  }

  @Test func `are forgotten after a quarter of an hour, and the oldest where there are too many`() throws {
    var attempts = LoginAttempts()
    for _ in 1...5 { try attempts.begin("maruko", from: "a", at: start) }
    try attempts.begin("maruko", from: "a", at: start + LoginAttempts.memory)
    try attempts.begin("maruko", from: "a", at: start + LoginAttempts.memory)
    let later = start + LoginAttempts.memory
    for number in 0..<LoginAttempts.most {
      try attempts.begin("name \(number)", from: "\(number)", at: later + .milliseconds(number))
    }
    #expect((1...LoginAttempts.most).contains(attempts.count))
    // The newest tries are remembered.
    let (last, end) = ("name \(LoginAttempts.most - 1)", later + .seconds(10))
    for _ in 1...4 { try attempts.begin(last, from: UUID().uuidString, at: end) }
    #expect(throws: LoginRefusal.tooManyTries(seconds: 1)) { try attempts.begin(last, from: "another", at: end) }
  }
}
