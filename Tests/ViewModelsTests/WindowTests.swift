// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

/// A long list. A view shows a window of it, and rows are made on demand.
final class Log: ViewModel {
  static let made = Locked(0)
  final class Line: ViewModel {
    @Observed var text: String
    init(_ text: String) {
      self.text = text
      Log.made.withLock { $0 += 1 }
    }
    static let surface = Surface<Line>("line", .twoWay("text", \.$text))
  }
  let lines = KeyedList<Line>(window: 3)
  init(_ count: Int) { grow(count) }
  func grow(_ count: Int) { lines.update((0..<count).map { "n\($0)" }) { Line("text \($0)") } }
  static let surface = Surface<Log>("log", .list("lines", \.lines, hasWindow: true), .action("grow", Log.grow))
}

@Suite(.serialized) struct `A list with a window` {
  @Test func `shows the rows that the view says, and their count, and makes no others`() throws {
    Log.made.withLock { $0 = 0 }
    let log = try ModelDriver { Log(100_000) }
    #expect(
      log["lines"] == [
        "count": 100_000, "window": ["first": 0, "count": 3], "order": ["n0", "n1", "n2"],
        "items": ["n0": ["text": "text n0"], "n1": ["text": "text n1"], "n2": ["text": "text n2"]],
      ])
    try log.set("lines/window", ["first": 50_000, "count": 2])
    #expect(log["lines/order"] == ["n50000", "n50001"])
    #expect(log["lines/items"] == ["n50000": ["text": "text n50000"], "n50001": ["text": "text n50001"]])
    #expect(Log.made.withLock { $0 } == 5)
  }

  @Test func `a row that is not shown can be acted on, and its change is not sent`() throws {
    let log = try ModelDriver { Log(1_000) }
    #expect(log["lines/items/n500"] == nil)
    _ = log.takeFrame()
    try log.set("lines/items/n500/text", "changed")
    #expect(log.takeFrame()["patch"] == [])
    try log.set("lines/window", ["first": 500, "count": 1])
    #expect(log["lines/items/n500/text"] == "changed")
  }

  @Test func `stays within the list when that becomes shorter`() throws {
    let log = try ModelDriver { Log(1_000) }
    try log.set("lines/window", ["first": 990, "count": 5])
    try log.perform("grow", 4)
    #expect(log["lines/count"] == 4)
    #expect(log["lines/window"] == ["first": 0, "count": 5])
    #expect(log["lines/order"] == ["n0", "n1", "n2", "n3"])
    try log.perform("grow", 0)
    #expect(log["lines"] == ["count": 0, "window": ["first": 0, "count": 5], "order": [], "items": [:]])
  }

  @Test(
    arguments: [["first": -1, "count": 3], ["first": 0, "count": 0], ["first": 0, "count": 501], [:], "x"] as [JSON])
  func `a window that is none is refused`(value: JSON) throws {
    let log = try ModelDriver { Log(10) }
    #expect(throws: SurfaceError.self) { try log.set("lines/window", value) }
    #expect(log["lines/window"] == ["first": 0, "count": 3])
  }

}
