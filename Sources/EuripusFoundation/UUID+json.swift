// SPDX-License-Identifier: MIT
public import JSONPatching

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A UUID is a text in lower case, as RFC 9562 wants it written; both cases are read.
extension UUID: JSONRepresentable {
  public static var jsonTypeName: String { "UUID such as \(example)" }

  public static var jsonSchema: JSONSchema {
    JSONSchema(["type": "string", "format": "uuid"]).examples(.string(example))
  }

  private static var example: String { "f81d4fae-7dec-11d0-a765-00a0c91e6bf6" }

  public init(json: JSON) throws(JSONMismatch) {
    guard case .string(let text) = json else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
    guard text.utf8.count == 36, let value = UUID(uuidString: text) else {
      throw JSONMismatch(expected: Self.jsonTypeName, found: "another string")
    }
    self = value
  }

  public func write(to writer: inout JSONWriter) { writer.string(uuidString.lowercased()) }
}
