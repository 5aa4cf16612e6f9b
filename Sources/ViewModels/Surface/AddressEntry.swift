// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The way in which an entry of a surface can be in the address.
enum AddressEntry<Model: AnyObject>: Sendable {
  case item(AddressItem<Model>)
  case path(@Sendable (Model) -> Coordinator?)
  /// It cannot be there, for this reason.
  case refused(String)
}

/// A value as an item of the query.
struct AddressItem<Model: AnyObject>: Sendable {
  /// The text of the value; `nil` for `null`.
  let text: @Sendable (Model) -> String?
  /// Sets the value. If it does not take the text, nothing changes.
  ///
  /// - Returns: whether it took the text.
  let set: @Sendable (Model, String?) throws -> Bool
  /// Whether the user that the view model is for has it in the address.
  var isPresent: @Sendable () -> Bool = { true }
}

extension AddressEntry {
  /// - Parameter condition: while it is false the value stays as it is.
  static func value<Value: JSONRepresentable, Source: ObservableValue<Value>>(
    _ property: @escaping Surface<Model>.Property<Source>, when condition: SurfaceEntry<Model>.Condition? = nil
  ) -> Self {
    guard Source.self is Observable<Value>.Type else {
      return .refused("it is computed, and what is in the address is set as well")
    }
    guard let kind = AddressKind(Value.jsonSchema) else {
      return .refused("the JSON of its type, '\(Value.jsonTypeName)', is not always a string, a number or a boolean")
    }
    return .item(
      AddressItem(
        text: { model in (try? property(model).get()).flatMap { AddressKind.text(of: $0) } },
        set: { model, text in
          guard let source = property(model) as? Observable<Value> else { stopProgram(bug: "it is no source") }
          guard let json = text.map({ kind.json($0) }) ?? .null, let value = try? Value(json: json) else {
            return false
          }
          // An assignment of a value with the same text may tell the observers all the same.
          if AddressKind.text(of: source.value) == AddressKind.text(of: value) { return true }
          if condition?(model).holds ?? true { try source.set(value) }
          return true
        }))
  }
}
