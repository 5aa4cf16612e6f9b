// SPDX-License-Identifier: MIT
import Dispatch
import ObservableCore
import Synchronization
import Testing

@Suite struct `A weak reference` {
  private final class Thing: Sendable {
    let ends: Count?
    init(_ ends: Count? = nil) { self.ends = ends }
    deinit { ends?.value.add(1, ordering: .relaxed) }
  }

  private final class Count: Sendable {
    let value = Atomic(0)
  }

  private final class Keeper: Sendable {
    let thing: Mutex<Thing?>
    let reference: WeakReference

    init(_ ends: Count) {
      let thing = Thing(ends)
      self.thing = Mutex(thing)
      reference = WeakReference(thing)
    }

    func letGo() { thing.withLock { $0 = nil } }
  }

  @Test func `gives its object while that lives, and does not keep it`() {
    let ends = Count()
    let keeper = Keeper(ends)
    for _ in 0..<3 { #expect(keeper.thing.withLock { $0 === keeper.reference.object }) }
    #expect(ends.value.load(ordering: .relaxed) == 0)
    keeper.letGo()
    #expect(ends.value.load(ordering: .relaxed) == 1)
    for _ in 0..<3 { #expect(keeper.reference.object == nil) }
  }

  @Test func `gives nothing once its object's end has begun`() {
    final class Owner {
      var reference: WeakReference?
      let tell: (Bool) -> Void
      init(_ tell: @escaping (Bool) -> Void) {
        self.tell = tell
        reference = WeakReference(self)
      }
      deinit { tell(reference?.object == nil) }
    }
    var wasGone: Bool?
    _ = Owner { wasGone = $0 }
    #expect(wasGone == true)
  }

  @Test func `may be asked while another thread lets its object go, which ends once`() {
    let ends = Count()
    let asked = Count()
    for round in 1...200 {
      let keeper = Keeper(ends)
      let other = DispatchGroup()
      // A thread of its own: it does not wait for one of those that tests run on.
      DispatchQueue(label: "asking").async(group: other) {
        while keeper.reference.object != nil { asked.value.add(1, ordering: .relaxed) }
      }
      // It is at it by then.
      let before = asked.value.load(ordering: .relaxed)
      while asked.value.load(ordering: .relaxed) == before {}
      keeper.letGo()
      other.wait()
      #expect(ends.value.load(ordering: .relaxed) == round)
    }
  }
}
