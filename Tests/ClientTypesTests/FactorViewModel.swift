// SPDX-License-Identifier: MIT
import EuripusApp

/// A view model whose name begins with a digit. Its types have the names that the printed text uses itself.
final class FactorViewModel: ViewModel {
  /// A value of a type with a name of the test's.
  struct Named<Name: TypeNameOfTest>: Equatable, JSONRepresentable {
    var text: Swift.String
    static var jsonTypeName: Swift.String { "object with 'text'" }
    static var jsonSchema: JSONSchema { JSONSchema.object([("text", Swift.String.jsonSchema)]).titled(Name.text) }
    init(text: Swift.String) { self.text = text }
    init(json: JSON) throws(JSONMismatch) {
      guard let text = json["text"] else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
      self.text = try Swift.String(json: text)
    }
    func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.key("text")
      text.write(to: &writer)
      writer.endObject()
    }
  }

  protocol TypeNameOfTest { static var text: Swift.String { get } }
  enum Action: TypeNameOfTest { static let text = "2faAction" }
  enum Model: TypeNameOfTest { static let text = "2faModel" }
  enum Problem: TypeNameOfTest { static let text = "2faProblem" }
  enum Value: TypeNameOfTest { static let text = "2faValue" }
  enum Record: TypeNameOfTest { static let text = "Record" }
  enum String: TypeNameOfTest { static let text = "String" }

  @Observed var action = Named<Action>(text: "")
  @Observed var model = Named<Model>(text: "")
  @Observed var problem = Named<Problem>(text: "")
  @Observed var value = Named<Value>(text: "")
  @Observed var record = Named<Record>(text: "")
  @Observed var string = Named<String>(text: "")
  @Observed var counts: [Swift.String: Int] = [:]

  func confirm(_ code: Swift.String) {}

  static let surface = Surface<FactorViewModel>(
    "2fa", .twoWay("action", \.$action), .value("model", \.$model), .value("problem", \.$problem),
    .value("value", \.$value), .value("record", \.$record), .value("string", \.$string), .value("counts", \.$counts),
    .action("confirm", FactorViewModel.confirm))
}
