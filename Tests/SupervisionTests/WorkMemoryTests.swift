// SPDX-License-Identifier: MIT
import CSupervision
import Glibc
import Testing

@testable import AtWork
@testable import Supervision

/// What a server notes, and what the next one is told of it: both sides of one memory, in this process.
@Suite(.serialized) struct `The memory of what is at work` {
  private nonisolated(unsafe) let memory: WorkMemory
  private let notes: WorkNotes

  init() throws {
    memory = try WorkMemory()
    notes = WorkNotes(memory.shared)
  }

  private static func work(_ path: String, _ body: String = "") -> Work {
    Work(method: "POST", target: Array(path.utf8), body: Array(body.utf8))
  }

  /// As if the process had died in there, of a deadly signal that came to that thread or of none.
  private func die(_ work: Work, trapping: Bool, now: Int64 = WorkNotes.now) -> Remains {
    let remains = notes.during(work) {
      if trapping { trap() }
      return memory.take(counts: true, now: now)
    }
    return remains
  }

  /// What the handler of deadly signals writes.
  private func trap() {
    let shared = memory.shared.assumingMemoryBound(to: esv_memory.self)
    guard let slot = esv_slot_of_thread(), let first = esv_slot_at(shared, 0) else { return }
    shared.pointee.crash.slot = UInt32(slot - first) + 1
    shared.pointee.crash.signal = 4
  }

  private func isPoisoned(_ work: Work, rest: Duration? = nil) -> Bool {
    notes.during(work) { notes.isPoisoned(rest: rest) }
  }

  @Test func `poisons what trapped: the same method, path and body, whatever the query`() {
    OwnThread.run {
      let deadly = Self.work("/sessions/a/1/actions/x?since=9.9", "true")
      #expect(!isPoisoned(deadly))
      let remains = die(deadly, trapping: true)
      #expect(remains.culprit?.text == "POST /sessions/a/1/actions/x")
      #expect(remains.others.isEmpty)
      #expect(isPoisoned(Self.work("/sessions/a/1/actions/x", "true")))
      #expect(isPoisoned(Self.work("/sessions/a/1/actions/x?since=1.1", "true")))
      #expect(!isPoisoned(Self.work("/sessions/a/1/actions/x", "false")))
      #expect(!isPoisoned(Self.work("/sessions/a/2/actions/x", "true")))
      #expect(!isPoisoned(Work(method: "PUT", target: Array("/sessions/a/1/actions/x".utf8), body: Array("true".utf8))))
      #expect(!isPoisoned(.restoring("a", "1")))
    }
  }

  @Test func `poisons what was at work in two deaths that nobody is known to have caused, and not in one`() {
    OwnThread.run {
      let work = Self.work("/sessions/a/1/actions/x")
      let other = Self.work("/sessions/a/1/actions/y")
      #expect(die(work, trapping: false).others.map(\.text) == ["POST /sessions/a/1/actions/x"])
      #expect(!isPoisoned(work))
      _ = die(other, trapping: false)
      #expect(!isPoisoned(work) && !isPoisoned(other))
      _ = die(work, trapping: false)
      #expect(isPoisoned(work) && !isPoisoned(other))
    }
  }

  @Test func `is not held against what was at work when another thread trapped, nor when it was told to end`() {
    OwnThread.run {
      let bystander = Self.work("/sessions/a/1/actions/x")
      let remains = notes.during(bystander) {
        OwnThread.run { notes.during(Self.work("/sessions/a/2/actions/x")) { trap() } }
        return memory.take(counts: true)
      }
      #expect(remains.others.map(\.text) == ["POST /sessions/a/1/actions/x"])
      for _ in 0..<3 { _ = notes.during(bystander) { memory.take(counts: false) } }
      #expect(!isPoisoned(bystander))
    }
  }

  @Test func `lets an opening rest for a minute, and then try again`() {
    OwnThread.run {
      let opening = Self.work("/sessions/a")
      _ = die(opening, trapping: true, now: WorkNotes.now - 59)
      #expect(isPoisoned(opening, rest: .seconds(60)))
      _ = die(opening, trapping: true, now: WorkNotes.now - 60)
      #expect(!isPoisoned(opening, rest: .seconds(60)))
      #expect(isPoisoned(opening))
    }
  }

  @Test func `has nothing at work when that is over, and what was put in its place while it is`() {
    OwnThread.run {
      let (one, other) = (Self.work("/1"), Self.work("/2"))
      notes.during(one) {
        #expect(notes.current?.mark == one.mark)
        notes.during(other) { #expect(notes.current?.mark == other.mark) }
        #expect(notes.current == nil)
      }
      notes.during(one) {
        notes.end()
        #expect(notes.current == nil)
        #expect(!notes.isPoisoned())
      }
      #expect(memory.take(counts: true) == Remains())
    }
  }

  @Test func `goes on with what was put off under the same mark`() {
    OwnThread.run {
      let deadly = Self.work("/sessions/a/1/actions/x?since=9.9", "true")
      _ = die(deadly, trapping: true)
      let put = notes.during(deadly) { notes.current }
      #expect(put.map { isPoisoned($0) } == true)
    }
  }

  @Test func `cuts off a path that is too long, and tells such paths apart all the same`() {
    OwnThread.run {
      let long = "/" + String(repeating: "x", count: 4_000)
      let remains = die(Self.work(long + "1"), trapping: true)
      #expect(remains.culprit?.text.utf8.count == Int(ESV_TEXT))
      #expect(isPoisoned(Self.work(long + "1")))
      #expect(!isPoisoned(Self.work(long + "2")))
    }
  }

  @Test func `remembers 256, and drops the one that is the longest ago`() {
    OwnThread.run {
      for number in 0..<257 { _ = die(Self.work("/\(number)"), trapping: true, now: Int64(1_000 + number)) }
      #expect(!isPoisoned(Self.work("/0")))
      for number in 1..<257 { #expect(isPoisoned(Self.work("/\(number)")), "\(number)") }
    }
  }

  @Test func `notes what 128 threads are at, and lets others work without`() {
    let isIn = Barrier(141)
    let mayLeave = Barrier(141)
    let threads = (0..<140).map { number in
      OwnThread {
        notes.during(Self.work("/\(number)")) {
          isIn.wait()
          mayLeave.wait()
        }
      }
    }
    isIn.wait()
    let remains = memory.take(counts: false)
    mayLeave.wait()
    for thread in threads { thread.join() }
    #expect(remains.others.count == 128)
    // Their places are free again.
    OwnThread.run { #expect(die(Self.work("/a"), trapping: false).others.count == 1) }
  }

  @Test func `has marks that are spread evenly, and differ by each bit of what is marked`() {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<100).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var marks: Set<UInt64> = [esv_mark(0, bytes, bytes.count), esv_mark(1, bytes, bytes.count)]
    for length in 0..<100 { marks.insert(esv_mark(0, bytes, length)) }
    for bit in 0..<800 {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      marks.insert(esv_mark(0, changed, changed.count))
    }
    #expect(marks.count == 902, "bytes \(bytes)")
    let low = Set(marks.map { $0 & 0xFFFF }).count
    #expect(low > 850, "bytes \(bytes)")
  }
}

/// Where threads wait until there are as many as are expected.
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
