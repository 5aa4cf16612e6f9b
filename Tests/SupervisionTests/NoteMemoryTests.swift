// SPDX-License-Identifier: MIT
import Dispatch
import Glibc
import Testing

@testable import EuripusApp

/// The notes of a server, and its supervisor's reading of them: both sides of one memory, in this process.
struct `The memory that a server shares with its supervisor` {
  private let memory: NoteMemory

  init() throws { memory = try NoteMemory() }

  private static func work(_ number: UInt64, _ text: String = "perform /x") -> Work {
    Work(mark: number, clientMark: number + 1, actionMark: number + 2, text: text)
  }

  @Test func `has a work while it runs, under its thread, and none when that is over`() {
    OwnThread.run {
      memory.during(Self.work(7)) { #expect(memory.take() == [0: Self.work(7)]) }
      memory.during(Self.work(7)) {}
      #expect(memory.take().isEmpty)
    }
  }

  @Test func `has the outer of two works as long as that runs, since it leads to the inner one`() {
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
    let (isIn, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let threads = (1...270).map { number in
      OwnThread {
        memory.during(Self.work(number)) {
          isIn.signal()
          mayLeave.wait()
        }
      }
    }
    for _ in threads { isIn.wait() }
    let works = memory.take()
    for _ in threads { mayLeave.signal() }
    for thread in threads { thread.join() }
    #expect(Set(works.keys) == Set(0..<256))
    // The places of the ended threads are free again.
    OwnThread.run { memory.during(Self.work(1)) { #expect(memory.take().count == 1) } }
  }
}
