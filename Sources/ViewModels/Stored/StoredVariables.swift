// SPDX-License-Identifier: MIT
import JSONPatching

/// The values of a view model's stored variables before an action, and of those within it. The graph does not know them,
/// so it does not put them back. O(the variables).
struct StoredVariables {
  private var values: [() -> Void] = []

  init(of model: some ViewModel) { add(of: model) }

  mutating func add(of model: some ViewModel) { model.addVariables(to: &self) }

  mutating func add<Model: AnyObject, Value: JSONRepresentable>(
    _ model: Model, _ property: any ReferenceWritableKeyPath<Model, Value> & Sendable
  ) {
    let value = model[keyPath: property]
    values.append {
      // An assignment runs the `didSet` of a variable, so one that was not changed is left alone.
      if value.isSame(as: model[keyPath: property]) { return }
      model[keyPath: property] = value
    }
  }

  func putBack() { for value in values { value() } }
}

extension JSONRepresentable {
  /// Whether it is the same value, by its JSON.
  fileprivate func isSame(as other: Self) -> Bool {
    var (own, others) = (JSONWriter(capacity: 64), JSONWriter(capacity: 64))
    write(to: &own)
    other.write(to: &others)
    return own.bytes == others.bytes
  }
}
