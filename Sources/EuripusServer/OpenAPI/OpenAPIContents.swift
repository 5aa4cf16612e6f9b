// SPDX-License-Identifier: MIT
import JSONPatching

/// The schemas of the answers, by what they are.
struct OpenAPIContents {
  var model = ""
  var state = JSONSchema.any
  var value: JSONSchema?
  var result = JSONSchema.null

  func response(_ answer: Endpoint.Answer) -> JSON {
    var members = [JSON.Member(name: "description", value: .string(answer.description))]
    if !answer.fields.isEmpty {
      members.append(JSON.Member(name: "headers", value: .object(answer.fields.map(\.reference))))
    }
    if let (type, schema) = content(answer.content) {
      let content: JSON = .object([JSON.Member(name: type, value: ["schema": schema.json])])
      members.append(JSON.Member(name: "content", value: content))
    }
    return .object(members)
  }

  private func content(_ content: Endpoint.Answer.Content) -> (type: String, schema: JSONSchema)? {
    switch content {
    case .nothing: nil
    case .text: ("text/plain", .string)
    case .description: ("application/json", JSONSchema(["type": "object"]).described("An OpenAPI document."))
    case .names: ("application/json", .object([("models", .array(of: .string))]))
    case .opened: ("application/json", OpenAPIMessages.opened(model, state))
    case .snapshot: ("application/json", OpenAPIMessages.snapshot(model, state))
    case .frame: ("application/json", StateSchemas.reference("frame.\(model)"))
    case .outcome: ("application/json", outcome)
    case .value: ("application/json", value ?? .any)
    }
  }

  private var outcome: JSONSchema {
    if result.json == JSONSchema.null.json { return StateSchemas.reference("outcome.\(model)") }
    return OpenAPIMessages.frame(state, [("result", result)])
  }
}
