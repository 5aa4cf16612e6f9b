// SPDX-License-Identifier: MIT
import EuripusServer
import JSONPatching

/// The schemas of the answers, by their content.
struct OpenAPIContents {
  /// `nil` for a route of the server's own.
  var model: ModelSchemas?
  var value: JSONSchema?
  /// The answer to a change.
  var outcome = JSONSchema.any

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
    case .description: json = SchemaShelf.reference("Description")
    case .names: json = SchemaShelf.reference("ModelNames")
    case .opened: json = model?.opened ?? .any
    case .snapshot: json = model?.snapshot ?? .any
    case .frames:
      let stream = JSONSchema.string.described(
        "Server-sent events (HTML Living Standard §9.2), each with a frame as its data.")
      return [("application/json", model?.frame ?? .any), (EventStreamText.mediaType, stream)]
    case .outcome: json = outcome
    case .outcomes: json = model?.batchOutcome ?? .any
    case .value: json = value ?? .any
    case .address: json = model?.address ?? .any
    case .ownSessions: json = SchemaShelf.reference("OwnSessions")
    case .sessions: json = SchemaShelf.reference("Sessions")
    case .look: json = SchemaShelf.reference("SessionLook")
    case .file: return [("application/octet-stream", .any)]
    case .uploadAddress: json = SchemaShelf.reference("UploadAddress")
    case .ended: json = SchemaShelf.reference("Ended")
    }
    return [("application/json", json)]
  }
}
