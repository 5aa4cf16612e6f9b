// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

extension Surface {
  /// An action of the surface, its type erased.
  struct Action: Sendable {
    let name: String
    let condition: Condition?
    /// Takes a client's value, `nil` for an empty body: what it gives performs the action.
    let prepare: @Sendable (JSON?) throws(SurfaceError) -> (Model) throws -> Void

    init<Value: JSONRepresentable>(_ name: String, _ property: Property<Observer<Value>>, condition: Condition?) {
      self.name = name
      self.condition = condition
      prepare = { json throws(SurfaceError) in
        guard let json else { throw .mismatch(JSONMismatch(expected: Value.jsonTypeName, found: "no value")) }
        let value: Value = try SurfaceError.reading(json)
        return { model in try model[keyPath: property].invoke(value) }
      }
    }

    init(_ name: String, _ property: Property<Observer<Void>>, condition: Condition?) {
      self.name = name
      self.condition = condition
      prepare = { json throws(SurfaceError) in
        // `null` is how a client that always sends a value says that there is none.
        if let json, json != .null { throw .mismatch(JSONMismatch(expected: "no value", found: json)) }
        return { model in try model[keyPath: property].invoke() }
      }
    }
  }
}
