// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

extension Surface {
  typealias Condition = @Sendable (Model) -> Observable<Bool>

  /// A value of the surface: where the view model has it, and what can be done with it.
  struct Output: Sendable {
    let face: OutputFace
    let condition: Condition?
    let node: @Sendable (Model) -> Node

    init<Value: JSONRepresentable, Source: Observable<Value>>(
      _ name: String, _ property: Property<Source>, access: OutputFace.Access, condition: Condition?
    ) {
      face = OutputFace(name, of: Value.self, access: access)
      self.condition = condition
      node = { $0[keyPath: property] }
    }

    init<Source: Observable<String>>(secret name: String, _ property: Property<Source>) {
      face = OutputFace(secret: name)
      condition = nil
      node = { $0[keyPath: property] }
    }
  }
}
