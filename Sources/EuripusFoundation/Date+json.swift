// SPDX-License-Identifier: MIT
public import JSONPatching

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A date is a text in UTC, with milliseconds if it has any: `2026-11-23T09:10:05Z`, `2026-11-23T09:10:05.250Z` (RFC
/// 3339).
///
/// Any offset is read, and a day alone (`2026-11-23`), which begins in UTC. Parts finer than a millisecond are not
/// written, so a date that shall be equal to itself after a restart has none. A date outside of the years 0 to 9999
/// has no such text and is written as `null`.
extension Date: JSONRepresentable {
  public static var jsonTypeName: String { "date such as \(example)" }

  public static var jsonSchema: JSONSchema {
    JSONSchema(["type": "string", "format": "date-time"]).examples(.string(example), "1969-07-20T22:17:40.500+02:00")
  }

  private static var example: String { "2026-11-23T09:10:05Z" }

  public init(json: JSON) throws(JSONMismatch) {
    guard case .string(let text) = json else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
    guard let milliseconds = TimestampReader.milliseconds(of: text) else {
      throw JSONMismatch(expected: Self.jsonTypeName, found: "another string")
    }
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  public func write(to writer: inout JSONWriter) {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    guard milliseconds.magnitude < 1e15, let text = Timestamp.text(of: Int(milliseconds)) else { return writer.null() }
    writer.string(text)
  }
}

extension Date: PartlyWritable {}
