// SPDX-License-Identifier: MIT
public import JSONPatching
public import ObservableCore

extension SurfaceEntry {
  /// An event whose pulses clients are told: `{"count":3,"value":"saved"}`, the number of pulses so far and the
  /// value of the last one.
  ///
  /// A client that sees the count grow knows of a pulse. Like all of the state, pulses are merged on their way:
  /// where several come at once the client sees the value of the last one.
  public static func pulse<Value: JSONRepresentable>(_ name: String, _ property: @escaping Property<Event<Value>>)
    -> Self
  {
    let counter: @Sendable (Model) -> PulseCounter<Value> = { model in
      EntryObject.named(name, of: model, "the event '\(name)'") { PulseCounter(property(model)) }
    }
    return Self(
      description: .init(
        name: name, form: .value(Pulses<Value>.jsonSchema, isWritable: false, isConditional: false)),
      output: .init(name: name, value: ShownJSON<Pulses<Value>>()) { .value(counter($0).pulses) },
      value: .init(Model.self, name) { _, change, _ throws(SurfaceError) in throw .readOnly(change.name) },
      stored: .value(name) { counter($0).pulses })
  }
}

/// The pulses of an event as a value: their number, and the value of the last one, `nil` before the first.
struct Pulses<Value: JSONRepresentable>: JSONRepresentable {
  var count = 0
  var last: Value?

  init() {}

  static var jsonTypeName: String { "pulses" }

  static var jsonSchema: JSONSchema { .object([("count", Int.jsonSchema), ("value", Optional<Value>.jsonSchema)]) }

  init(json: JSON) throws(JSONMismatch) {
    guard let count = json["count"], let last = json["value"] else {
      throw JSONMismatch(expected: Self.jsonTypeName, found: json)
    }
    self.count = try Int(json: count)
    self.last = try Value?(json: last)
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("count")
    writer.integer(count)
    writer.key("value")
    last.write(to: &writer)
    writer.endObject()
  }
}

/// A counter of the pulses of an event.
private final class PulseCounter<Value: JSONRepresentable> {
  let pulses = Observable(Pulses<Value>(), cutOff: .never)

  init(_ event: Event<Value>) {
    event.addObserver(
      Observer(self) { counter, value in
        counter.pulses.value.count += 1
        counter.pulses.value.last = value
      })
  }
}
