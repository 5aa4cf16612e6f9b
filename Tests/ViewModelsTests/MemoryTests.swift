// SPDX-License-Identifier: MIT
import CHeap
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// Memory is counted in a process of its own, where nothing else runs.
@Suite struct `The memory` {
  /// A list of things to do.
  private final class Tasks: ViewModel {
    final class Task: ViewModel {
      let text = Observable("Buy fresh bread")
      let done = Observable(false)
      static let surface = Surface<Task>("task", .value("text", \.text), .twoWay("done", \.done))
    }

    let rows = KeyedList<Task>()

    init(_ count: Int) { for number in 0..<count { rows.append(Task(), key: "task-\(10_000 + number)") } }

    static let surface = Surface<Tasks>("tasks", .list("rows", \.rows))

    /// The bytes that a debug build adds to a row: a closure at each of its two nodes. A release build makes
    /// that closure for the type of the node's value, without an object.
    #if DEBUG
      static let added = 2 * 48
    #else
      static let added = 0
    #endif

    /// The bytes that a hosted list of so many rows takes, and the bytes of its state.
    static func taken(rows count: Int) throws -> (memory: Int, state: Int) {
      // The first view model brings in code and caches, which are not counted.
      _ = try HostedModelType.hosting { Tasks(10) }.make(for: "a session")
      let before = euripus_tests_heap_in_use()
      let model = try HostedModelType.hosting { Tasks(count) }.make(for: "a session")
      return withExtendedLifetime(model) { (Int(euripus_tests_heap_in_use() - before), model.stateLength) }
    }
  }

  @Test(arguments: [1_000, 10_000])
  func `of a row of two short values is at most 0.6 KiB`(count: Int) async {
    await #expect(processExitsWith: .success) { [count] in
      let bytes = try Tasks.taken(rows: count).memory / count
      #expect(bytes <= 614 + Tasks.added, "\(bytes) bytes a row")
    }
  }

  @Test func `of a state of 1 MiB is at most 10 MiB`() async {
    await #expect(processExitsWith: .success) {
      let (memory, state) = try Tasks.taken(rows: 15_900)
      #expect((1 << 20..<1_060_000).contains(state), "a state of \(state) bytes")
      #expect(memory <= (10 << 20) + 15_900 * Tasks.added, "\(memory) bytes")
    }
  }
}
