// SPDX-License-Identifier: MIT
import Euripus
import Foundation
import JSONPatching
import ObservableCore
import Testing

/// The promises of the figures. They count CPU time, as the machine may be busy. `make bench` measures a
/// release, and `make test-instructions` counts the instructions of opening the demos.
@Suite struct `The cost of one changed row` {
  static func cpuMilliseconds(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
    let start = now()
    try body()
    return now() - start
  }

  /// A build with all checks and without optimisation takes ten times as long. It has a limit too, so that it
  /// does not grow.
  #if DEBUG
    static let mostMilliseconds = 10.0
  #else
    static let mostMilliseconds = 1.0
  #endif

  final class Table: ViewModel {
    final class Row: ViewModel {
      let text: Observable<String>
      init(_ text: String) { self.text = Observable(text) }
      static let surface = Surface<Row>("row", .twoWay("text", \.text))
    }
    let rows = KeyedList<Row>()
    init() { rows.update((0..<100_000).map(String.init)) { Row("text \($0)") } }
    static let surface = Surface<Table>("table", .list("rows", \.rows))
  }

  @Test func `among 100,000 is a frame of at most 200 bytes, and at most 1 ms of CPU in a release`() throws {
    let model = try HostedModelType.hosting { Table() }.make(for: "a session")
    var times: [Double] = []
    for round in 1...51 {
      var length = 0
      let key = "\(round * 1_957 % 100_000)"
      times.append(
        try Self.cpuMilliseconds {
          try model.apply(.set(["rows", "items", key, "text"], .string("changed \(round)")))
          #expect(model.stamp(UInt64(round + 1)))
          var writer = JSONWriter()
          writer.beginArray()
          model.writePatch(since: UInt64(round), to: &writer)
          writer.endArray()
          length = writer.count
        })
      // The rest of the frame is two versions and the names.
      #expect(length + 80 <= 200)
    }
    #expect(times.sorted()[times.count / 2] <= Self.mostMilliseconds, "ms: \(times.sorted())")
  }
}
