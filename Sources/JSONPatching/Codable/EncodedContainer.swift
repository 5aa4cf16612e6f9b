// SPDX-License-Identifier: MIT

/// An object or an array that is being encoded.
final class EncodedContainer {
  let isObject: Bool
  private var names: [String] = []
  private var values: [EncodedValue] = []
  /// The indices by name, once there are many.
  private var indices: [ExactText: Int] = [:]

  init(isObject: Bool) { self.isObject = isObject }

  var count: Int { values.count }

  func append(_ value: EncodedValue) { values.append(value) }

  /// Sets a member. It replaces an earlier one with the same name.
  func set(_ name: String, _ value: EncodedValue) {
    if let index = index(of: name) {
      values[index] = value
      return
    }
    if names.count >= NameIndex.worthwhileCount { indices[ExactText(name)] = names.count }
    names.append(name)
    values.append(value)
  }

  private func index(of name: String) -> Int? {
    names.prefix(NameIndex.worthwhileCount).firstIndex { $0.hasSameBytes(as: name) } ?? indices[ExactText(name)]
  }

  func write(to writer: inout JSONWriter) {
    guard isObject else {
      writer.beginArray()
      for value in values { value.write(to: &writer) }
      return writer.endArray()
    }
    writer.beginObject()
    for (name, value) in zip(names, values) {
      writer.key(name)
      value.write(to: &writer)
    }
    writer.endObject()
  }
}
