// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

extension Surface {
  typealias Condition = @Sendable (Model) -> ObservableValue<Bool>

  /// A value of the surface: where the view model has it, and what can be done with it.
  struct Output: Sendable {
    let face: OutputFace
    let condition: Condition?
    let node: @Sendable (Model) -> Node

    init<Value: JSONRepresentable, Source: ObservableValue<Value>>(readOnly name: String, _ property: Property<Source>)
    {
      face = OutputFace(readOnly: name, of: Value.self)
      condition = nil
      node = { $0[keyPath: property] }
    }

    init<Value: JSONRepresentable, Source: Observable<Value>>(
      _ name: String, _ property: Property<Source>, condition: Condition?
    ) {
      face = OutputFace(twoWay: name, of: Value.self)
      self.condition = condition
      node = { $0[keyPath: property] }
    }

    init<Source: Observable<String>>(secret name: String, _ property: Property<Source>) {
      face = OutputFace(secret: name)
      condition = nil
      node = { model in
        let source = model[keyPath: property]
        source.isSecret = true
        return source
      }
    }
  }
}
