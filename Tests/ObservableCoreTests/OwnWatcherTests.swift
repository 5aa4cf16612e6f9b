// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@Suite struct `A node's own place for a watcher` {
  private final class Notes: OwnWatcher {
    var changed: [Int] = []
    var equal: [Int] = []
    override func nodeDidChange(_ tag: Int) { changed.append(tag) }
    override func nodeIsEqual(_ tag: Int) { equal.append(tag) }
  }

  @Test func `goes to the first, and others have subscriptions`() {
    let value = Observable(0)
    let (first, second) = (Notes(), Notes())
    #expect(value.watch(by: first, tag: 1) == nil)
    let subscription = value.watch(by: second, tag: 2)
    #expect(subscription != nil)
    value.value = 1
    #expect(first.changed == [1] && second.changed == [2])
    subscription?.dispose()
    value.value = 2
    #expect(first.changed == [1, 1] && second.changed == [2])
  }

  @Test func `has its watcher told once a transaction, and of values that came back equal`() throws {
    let value = Observable(0)
    let notes = Notes()
    _ = value.watch(by: notes, tag: 3)
    try transaction {
      value.value = 1
      value.value = 2
    }
    #expect(notes.changed == [3] && notes.equal.isEmpty)
    try? transaction(.undo) {
      value.value = 5
      throw Failure()
    }
    #expect(notes.changed == [3])
    // A write that a body takes back is none. One that comes back while the graph settles is told as equal.
    let next = Observable(0)
    next.addObserver(Observer { _ in value.value = 5 })
    next.addObserver(Observer { _ in value.value = 2 })
    next.value = 1
    #expect(notes.changed == [3] && notes.equal == [3])
  }

  @Test func `has its computed brought up to date in each transaction`() {
    let value = Observable(1)
    let double = Computed { value.value * 2 }
    let notes = Notes()
    _ = double.watch(by: notes, tag: 0)
    value.value = 2
    #expect(notes.changed == [0])
    double.endWatch(by: notes)
    value.value = 3
    #expect(notes.changed == [0] && double.value == 6)
  }

  @Test func `is left by its watcher alone, and then free for another`() {
    let value = Observable(0)
    let (first, second) = (Notes(), Notes())
    _ = value.watch(by: first, tag: 1)
    value.endWatch(by: second)
    value.value = 1
    #expect(first.changed == [1])
    value.endWatch(by: first)
    #expect(value.watch(by: second, tag: 2) == nil)
    value.value = 2
    #expect(first.changed == [1] && second.changed == [2])
  }

  @Test func `keeps its watcher alive until it is left, or the node or its graph goes`() {
    weak var kept: Notes?
    func watch(_ value: Observable<Int>) {
      let notes = Notes()
      kept = notes
      _ = value.watch(by: notes, tag: 0)
    }
    let value = Observable(0)
    watch(value)
    #expect(kept != nil)
    if let kept { value.endWatch(by: kept) }
    #expect(kept == nil)

    do {
      let short = Observable(0)
      watch(short)
      withExtendedLifetime(short) {}
    }
    #expect(kept == nil)

    let graph = Graph()
    let member = graph.enter { Observable(0) }
    watch(member)
    graph.close()
    #expect(kept == nil)
    #expect(member.watch(by: Notes(), tag: 0) == nil)
    member.value = 1
  }

  private struct Failure: Error {}
}
