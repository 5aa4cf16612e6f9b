// SPDX-License-Identifier: MIT
import Euripus

/// The value of an action, with members.
struct Greeting: JSONRepresentable {
  let how: String
  let whom: String

  static let jsonTypeName = "object with 'how' and 'whom'"
  static let jsonSchema = JSONSchema.object([("how", .string), ("whom", .string)]).titled("Greeting")

  init(json: JSON) throws(JSONMismatch) {
    guard case .object(let members) = json, members.count == 2, let how = json["how"], let whom = json["whom"]
    else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
    self.how = try String(json: how)
    self.whom = try String(json: whom)
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("how")
    writer.string(how)
    writer.key("whom")
    writer.string(whom)
    writer.endObject()
  }
}
