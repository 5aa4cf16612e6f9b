// SPDX-License-Identifier: MIT
import EuripusServer
import JSONPatching

/// The schemas of the answers, by their content.
struct OpenAPIContents {
  var model = ""
  var state = JSONSchema.any
  var value: JSONSchema?
  var result = JSONSchema.null

  func response(_ answer: Route.Answer) -> JSON {
    var members = [JSON.Member(name: "description", value: .string(answer.description))]
    if !answer.fields.isEmpty {
      members.append(JSON.Member(name: "headers", value: .object(answer.fields.map(\.reference))))
    }
    let content = content(answer.content).map { JSON.Member(name: $0.type, value: ["schema": $0.schema.json]) }
    if !content.isEmpty { members.append(JSON.Member(name: "content", value: .object(content))) }
    return .object(members)
  }

  private func content(_ content: Route.Answer.Content) -> [(type: String, schema: JSONSchema)] {
    let text = (type: "text/plain", schema: JSONSchema.string)
    let json: JSONSchema
    switch content {
    case .nothing: return []
    case .text: return [text]
    case .page: return [("text/html", .string)]
    case .description: json = JSONSchema(["type": "object"]).described("An OpenAPI document.")
    case .names: json = .object([("models", .array(of: .string))])
    case .opened: json = OpenAPIMessages.opened(model, state)
    case .snapshot: json = OpenAPIMessages.snapshot(model, state)
    case .frame: json = StateSchemas.reference("frame.\(model)")
    case .frames:
      let stream = JSONSchema.string.described(
        "Server-sent events (HTML Living Standard §9.2), each with a frame as its data.")
      return [("application/json", StateSchemas.reference("frame.\(model)")), (EventStreamText.mediaType, stream)]
    case .outcome: json = outcome
    case .outcomes: json = OpenAPIMessages.frame(state, answer: ("results", .array(of: .any)))
    case .value: json = value ?? .any
    }
    return [("application/json", json)]
  }

  private var outcome: JSONSchema {
    if result.json == JSONSchema.null.json { return StateSchemas.reference("outcome.\(model)") }
    return OpenAPIMessages.frame(state, answer: ("result", result))
  }
}
