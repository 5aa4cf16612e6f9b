// SPDX-License-Identifier: MIT
import EuripusServer
import JSONPatching
import ViewModels

/// References to the schemas of what goes over the wire for one view model.
struct ModelSchemas {
  /// The view model's name as the names of its schemas begin with it.
  let name: String
  let state, opened, snapshot, frame: JSONSchema
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
    self.state = state
    opened = shelf(OpenAPIMessages.opened(model.name, state), name + "Opened", &schemas)
    snapshot = shelf(OpenAPIMessages.snapshot(model.name, state), name + "Snapshot", &schemas)
    frame = shelf(OpenAPIMessages.frame(name, state), name + "Frame", &schemas)
    outcome = shelf(OpenAPIMessages.outcome(name, state, answer: ("result", .null)), name + "Outcome", &schemas)
    batchOutcome = shelf(
      OpenAPIMessages.outcome(name + "Batch", state, answer: ("results", .array(of: .any))), name + "BatchOutcome",
      &schemas)
    let change = shelf(OpenAPIBatch.entry(paths, name), name + "Change", &schemas)
    changes = shelf(OpenAPIBatch.body(change, name), name + "Changes", &schemas)
  }
}
