// SPDX-License-Identifier: MIT
import Dispatch
import Locking
import Testing

@testable import EuripusPasswords

@Suite(.timeLimit(.minutes(30))) struct `A password` {
  private static let least = PasswordCost.least

  @Test(arguments: ["correct horse", "", "ßé人🙂", "with\u{0}a zero", String(repeating: "long", count: 4_096)])
  func `matches its own hash, and no other password does`(password: String) async throws {
    let hash = try await Password.hash(password, cost: Self.least)
    #expect(hash.hasPrefix("$argon2id$v=19$") && hash.utf8.count <= 127 && hash.utf8.allSatisfy { $0 < 0x80 })
    #expect(try await Password.matches(password, hash))
    for other in [password + "x", String(password.dropLast()), "with"] where other != password {
      #expect(try await !Password.matches(other, hash))
    }
  }

  @Test func `has another hash each time, by a salt of its own`() async throws {
    let hashes = [try await Password.hash("a", cost: Self.least), try await Password.hash("a", cost: Self.least)]
    #expect(hashes[0] != hashes[1])
  }

  @Test func `is hashed at the standard cost if nothing else is said`() async throws {
    let hash = try await Password.hash("correct horse")
    #expect(hash.contains("$m=65536,t=2,p=1$"))
    #expect(try !Password.needsRehash(hash))
    #expect(try await Password.matches("correct horse", hash))
  }

  @Test func `needs another hash if the one was made at another cost`() async throws {
    let hash = try await Password.hash("a", cost: Self.least)
    #expect(try Password.needsRehash(hash))
    #expect(try !Password.needsRehash(hash, cost: Self.least))
    #expect(try Password.needsRehash(hash, cost: .high))
  }

  @Test(arguments: ["", "correct horse", "$argon2id$", "$2b$12$abcdefghijklmnopqrstuv"])
  func `is compared with no text that is no hash`(text: String) async {
    await #expect(throws: PasswordError.notAHash) { try await Password.matches("correct horse", text) }
    #expect(throws: PasswordError.notAHash) { try Password.needsRehash(text) }
    #expect("\(PasswordError.notAHash)".contains("expected one that begins with $argon2"))
  }
}

@Suite(.timeLimit(.minutes(30))) struct `The hashing of passwords` {
  @Test func `makes no more hashes at once than it may, and refuses one beyond those that may wait`() async throws {
    let turns = HashingTurns(mostAtOnce: 1, mostWaiting: 2)
    let hold = DispatchSemaphore(value: 0)
    let (begun, beginning) = AsyncStream<Void>.makeStream()
    let first = Task {
      try await turns.run {
        beginning.yield()
        hold.wait()
      }
    }
    var beginnings = begun.makeAsyncIterator()
    await beginnings.next()
    let atWork = Locked((now: 0, most: 0))
    let came = await withTaskGroup { group in
      for _ in 0..<5 {
        group.addTask {
          do throws(PasswordError) {
            try await turns.run {
              atWork.withLock { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
              atWork.withLock { $0.now -= 1 }
            }
            return nil as PasswordError?
          } catch { return error }
        }
      }
      var came: [PasswordError?] = []
      for await refusal in group {
        came.append(refusal)
        // A refusal comes at once, while the first still holds the turn.
        if came.count == 3 { hold.signal() }
      }
      return came
    }
    try await first.value
    #expect(came == [.busy, .busy, .busy, nil, nil])
    #expect(atWork.withLock { $0.most } == 1)
  }
}
