// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import EuripusApp

/// The notes of a server, and its supervisor's reading of them: both sides of one memory, in this process.
struct `The memory that a server shares with its supervisor` {
  private let memory: NoteMemory

  init() throws { memory = try NoteMemory() }

  private static func work(_ number: UInt64, _ text: String = "perform /x") -> Work { Work(mark: number, text: text) }

  @Test func `has a work while it runs, under its thread, and none when that is over`() {
    OwnThread.run {
      memory.during(Self.work(7)) { #expect(memory.take() == [0: Self.work(7)]) }
      memory.during(Self.work(7)) {}
      #expect(memory.take().isEmpty)
    }
  }

  @Test func `has the outer of two works, whose consequence the inner one is, as long as that runs`() {
    OwnThread.run {
      memory.during(Self.work(1)) {
        memory.during(Self.work(2)) {}
        #expect(memory.take() == [0: Self.work(1)])
      }
    }
  }

  @Test func `cuts off a text that is too long`() {
    OwnThread.run {
      memory.during(Self.work(1, String(repeating: "x", count: 4_000))) {
        #expect(memory.take()[0]?.text == String(repeating: "x", count: 240))
      }
    }
  }

  @Test func `is the same for a process that has its descriptor`() throws {
    let descriptor = dup(memory.descriptor)
    let other = try NoteMemory(of: descriptor)
    OwnThread.run { memory.during(Self.work(7)) { #expect(other.take() == [0: Self.work(7)]) } }
    #expect(throws: SupervisionError.self) { try NoteMemory(of: open("/dev/null", O_RDONLY)) }
  }

  @Test func `has the works of 256 threads, and lets others work without`() {
    let isIn = Barrier(271)
    let mayLeave = Barrier(271)
    let threads = (1...270).map { number in
      OwnThread {
        memory.during(Self.work(number)) {
          isIn.wait()
          mayLeave.wait()
        }
      }
    }
    isIn.wait()
    let works = memory.take()
    mayLeave.wait()
    for thread in threads { thread.join() }
    #expect(Set(works.keys) == Set(0..<256))
    // The places of the ended threads are free again.
    OwnThread.run { memory.during(Self.work(1)) { #expect(memory.take().count == 1) } }
  }
}

/// A place where threads wait until the expected number of them is there.
// @unchecked Sendable: the C library's barrier is for several threads.
private final class Barrier: @unchecked Sendable {
  private let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)

  init(_ count: UInt32) { pthread_barrier_init(barrier, nil, count) }

  deinit {
    pthread_barrier_destroy(barrier)
    barrier.deallocate()
  }

  func wait() { pthread_barrier_wait(barrier) }
}
