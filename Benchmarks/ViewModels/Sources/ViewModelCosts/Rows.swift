// SPDX-License-Identifier: MIT
import Euripus

/// A list that is shown whole, however long.
private final class Table: ViewModel {
  final class Row: ViewModel {
    let text: Observable<String>
    init(_ text: String) { self.text = Observable(text) }
    static let surface = Surface<Row>("row", .twoWay("text", \.text))
  }

  let rows = KeyedList<Row>()
  init(_ count: Int) { rows.update((0..<count).map(String.init)) { Row("text \($0)") } }
  static let surface = Surface<Table>("table", .list("rows", \.rows))
}

/// Measures one changed row in lists of several lengths: the action, its revision and its patch, without HTTP.
func measureRows() throws {
  for count in [10, 1_000, 100_000] {
    let model = try HostedModelType.hosting { Table(count) }.make(for: "a session")
    var times: [Duration] = []
    var longest = 0
    for round in 1...501 {
      let key = "\(round * 1_957 % count)"
      let text = JSON.string("changed \(round)")
      var writer = JSONWriter(capacity: 384)
      times.append(
        try ContinuousClock().measure {
          try model.apply([.set(["rows", "items", key, "text"], text)]) { _ in }
          _ = model.stamp(UInt64(round + 1))
          writer.beginObject()
          writer.key("from")
          writer.string("k7q2mzx4.\(round)")
          writer.key("to")
          writer.string("k7q2mzx4.\(round + 1)")
          writer.key("patch")
          writer.beginArray()
          model.writePatch(since: UInt64(round), to: &writer)
          writer.endArray()
          writer.endObject()
        })
      longest = max(longest, writer.count)
    }
    print("one changed row of \(count): a frame of \(longest) bytes at most, \(microseconds(median(times))) us")
  }
}
