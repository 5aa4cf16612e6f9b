// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

extension Surface {
  /// An action of the surface, its type erased.
  struct Action: Sendable {
    let name: String
    let condition: Condition?
    /// What the action's value must be; `nil` for one that takes none.
    let typeName: String?
    /// Performs the action; `nil` stands for an empty body.
    let perform: @Sendable (Model, JSON?) throws -> Void

    init<Value: JSONRepresentable>(
      _ name: String, _ property: Property<Observer<Value>>, condition: Condition?
    ) {
      self.name = name
      self.condition = condition
      typeName = Value.jsonTypeName
      perform = { model, json in
        guard let json else {
          throw SurfaceError.mismatch(JSONMismatch(expected: Value.jsonTypeName, found: "no value"))
        }
        let value: Value
        do throws(JSONMismatch) { value = try Value(json: json) } catch { throw SurfaceError.mismatch(error) }
        try model[keyPath: property].invoke(value)
      }
    }

    init(_ name: String, _ property: Property<Observer<Void>>, condition: Condition?) {
      self.name = name
      self.condition = condition
      typeName = nil
      perform = { model, json in
        // `null` is how a client that always sends a value says that there is none.
        if let json, json != .null {
          throw SurfaceError.mismatch(JSONMismatch(expected: "no value", found: json))
        }
        try model[keyPath: property].invoke()
      }
    }
  }
}
