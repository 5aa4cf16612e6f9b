// SPDX-License-Identifier: MIT
public import JSONPatching
import ObservableCore

/// Fields of a form. In the state each is an object `{"value","error","touched","bounds"}`, of which the view
/// writes the value.
extension SurfaceEntry {
  /// A field, with the rules for its value.
  ///
  /// - Parameter condition: while it is false the value cannot be written.
  public static func field<Value: JSONRepresentable & Equatable>(
    _ name: String, _ property: @escaping Property<Field<Value>>, _ rules: FieldRule<Model, Value>...,
    when condition: When = nil
  ) -> Self {
    let schema = FieldBounds(rules.flatMap(\.bounds)).schema(of: Value.jsonSchema)
    return field(
      name, property, rules, condition, .value(schema, isWritable: true, isConditional: condition != nil),
      shown: ShownJSON<Value>(), stored: .value("value") { property($0).content })
  }

  /// A field of a secret text: its `value` is absent from the state while the text is set, and `""` while it is
  /// empty.
  ///
  /// - Parameter condition: as for a field.
  public static func secretField(
    _ name: String, _ property: @escaping Property<Field<String>>, _ rules: FieldRule<Model, String>...,
    when condition: When = nil
  ) -> Self {
    field(
      name, property, rules, condition, .secret(isConditional: condition != nil), shown: ShownSecret(),
      stored: .secret("value") { property($0).content })
  }

  private static func field<Value>(
    _ name: String, _ property: @escaping Property<Field<Value>>, _ rules: [FieldRule<Model, Value>],
    _ condition: When, _ form: EntryForm, shown: any ShownValue, stored: Surface<Model>.Stored
  ) -> Self {
    let bounds = FieldBounds(rules.flatMap(\.bounds))
    let shape = ObjectShape(
      "field", of: name,
      [("value", shown), ("error", ShownJSON<String?>()), ("touched", ShownJSON<Bool>()), ("bounds", nil)])
    let attributes = bounds.attributes
    var entry = Self(
      description: .init(name: name, form: .nested(description(name, form, bounds), isOptional: false)),
      output: .init(name: name) { model in
        let field = property(model)
        if shown.isSecret { (field.content as? Observable<String>)?.becomeSecret() }
        let contents: [StateMember] = [
          .value(field.content), .value(field.error), .value(field.touched), .part(ConstantPart(attributes)),
        ]
        return .part(ObjectPart(shape, contents))
      },
      value: .init(Model.self, name, isPart: true) { model, change, path throws(SurfaceError) in
        if path.isEmpty { throw .field(change.name) }
        guard path.elementsEqual(["value"]) else { throw .readOnly(change.name) }
        let value = try change.value(Value.self)
        return PreparedChange(condition: condition?(model)) { try property(model).edit(value) }
      },
      stored: .object(
        name,
        [stored, .value("touched") { property($0).touched }, .value("refusal") { property($0).refusal }]))
    entry.field = FieldRules<Model>.Entry(
      field: { property($0) }, content: { property($0).content },
      firstBroken: { model in
        let value = property(model).content.value
        return rules.first { !$0.isKept(model, value) }?.message
      })
    return entry
  }

  /// - Parameter value: the form of the field's value.
  private static func description(
    _ name: String, _ value: EntryForm, _ bounds: FieldBounds
  ) -> SurfaceDescription.Reference {
    let shown: [(name: String, schema: JSONSchema)] = [
      ("error", String?.jsonSchema), ("touched", .boolean), ("bounds", bounds.attributesSchema),
    ]
    let description = SurfaceDescription(
      field: name,
      [EntryDescription(name: "value", form: value)]
        + shown.map {
          EntryDescription(name: $0.name, form: .value($0.schema, isWritable: false, isConditional: false))
        })
    return { description }
  }
}
