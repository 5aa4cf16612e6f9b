// SPDX-License-Identifier: MIT
public import JSONPatching
import ObservableCore

/// A view's window of a long list, as in `{"first":200,"count":50}`.
public struct ListWindow: Sendable, Equatable, JSONRepresentable {
  /// The index of the first row, from 0.
  public let first: Int
  /// The number of rows, from 1 to `longest`.
  public let count: Int

  /// The most rows that a view shows at once.
  public static let longest = 500

  /// - Precondition: `first` is not negative and `count` is from 1 to `longest`.
  public init(first: Int, count: Int) {
    if first < 0 || !(1...Self.longest).contains(count) {
      stopProgram(
        "a window of \(count) rows from \(first) on", expected: "1 to \(Self.longest) rows, from 0 or more on",
        remedy: "give a list 'window:' within these bounds")
    }
    self.first = first
    self.count = count
  }

  /// The window within a list of `total` rows: a window beyond the end shows the last rows.
  public func within(_ total: Int) -> ListWindow {
    ListWindow(first: min(first, max(0, total - count)), count: count)
  }

  /// The indices that it shows of a list of `total` rows.
  public func range(of total: Int) -> Range<Int> {
    let start = within(total).first
    return start..<min(start + count, total)
  }

  public static let jsonTypeName = "object with 'first' (0 or more) and 'count' (1 to \(longest))"
  public static let jsonSchema = JSONSchema.object([
    ("first", .integer(in: 0...Int.max)), ("count", .integer(in: 1...longest)),
  ]).titled("ListWindow")

  public init(json: JSON) throws(JSONMismatch) {
    guard case .object(let members) = json, members.count == 2, let first = json["first"], let count = json["count"]
    else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
    guard let first = try? Int(json: first), let count = try? Int(json: count), first >= 0,
      (1...Self.longest).contains(count)
    else { throw JSONMismatch(expected: Self.jsonTypeName, found: "other values") }
    self.init(first: first, count: count)
  }

  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("first")
    writer.integer(first)
    writer.key("count")
    writer.integer(count)
    writer.endObject()
  }
}
