// SPDX-License-Identifier: MIT
import EuripusServer
import JSONPatching
import ViewModels

/// References to the schemas of the JSON that goes over the wire for one view model.
struct ModelSchemas {
  /// The view model's name, in the form that begins the names of its schemas.
  let name: String
  let state, opened, snapshot, frame: JSONSchema
  /// The body that opens a session.
  let opening: JSONSchema
  /// Whether the session is opened with parameters only.
  let needsParams: Bool
  /// The address; `nil` for a view model that has none.
  let address: JSONSchema?
  /// The answer to a change that has no result.
  let outcome: JSONSchema
  let batchOutcome: JSONSchema
  /// The body of many changes, or one.
  let changes: JSONSchema

  init(_ model: SurfaceDescription, _ paths: SurfacePaths, _ schemas: inout StateSchemas) {
    name = SchemaName.of(model.name)
    let state = schemas.state(of: model)
    let shelf = { (schema: JSONSchema, name: String, schemas: inout StateSchemas) in
      schemas.shelf.place(schema, named: name)
    }
    let address = model.addressStart.map(OpenAPIMessages.address)
    (self.state, self.address) = (state, address)
    let params: JSONSchema? = if let declared = model.params { shelf(declared, name + "Params", &schemas) } else { nil }
    needsParams = model.params?.hasRequiredMembers == true
    opening =
      address == nil && params == nil && !model.takesGuests
      ? SchemaShelf.reference("Opening")
      : shelf(
        OpenAPIMessages.opening(address, params: params, needsParams: needsParams, takesGuests: model.takesGuests),
        name + "Opening", &schemas)
    opened = shelf(OpenAPIMessages.opened(model.name, state, address), name + "Opened", &schemas)
    snapshot = shelf(OpenAPIMessages.snapshot(model.name, state, address), name + "Snapshot", &schemas)
    frame = shelf(OpenAPIMessages.frame(name, state, address), name + "Frame", &schemas)
    outcome = shelf(
      OpenAPIMessages.outcome(name, state, address, answer: ("result", .null)), name + "Outcome", &schemas)
    batchOutcome = shelf(
      OpenAPIMessages.outcome(name + "Batch", state, address, answer: ("results", .array(of: .any))),
      name + "BatchOutcome", &schemas)
    let change = shelf(OpenAPIBatch.entry(paths, name, address), name + "Change", &schemas)
    changes = shelf(OpenAPIBatch.body(change, name), name + "Changes", &schemas)
  }
}

extension JSONSchema {
  /// Whether an object of the schema has members.
  fileprivate var hasRequiredMembers: Bool {
    if case .array(let names)? = json["required"] { !names.isEmpty } else { false }
  }
}
