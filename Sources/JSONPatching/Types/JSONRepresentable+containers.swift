// SPDX-License-Identifier: MIT

extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
  public static var jsonTypeName: String { "\(Wrapped.jsonTypeName) or null" }
  public static var jsonSchema: JSONSchema { Wrapped.jsonSchema.orNull }

  public init(json: JSON) throws(JSONMismatch) {
    if case .null = json {
      self = nil
      return
    }
    do {
      self = try Wrapped(json: json)
    } catch {
      // Inside a container, the wrapped type's own words are the exact ones.
      guard error.pointer.tokens.isEmpty else { throw error }
      throw JSONMismatch(expected: Self.jsonTypeName, found: error.found)
    }
  }

  public func write(to writer: inout JSONWriter) {
    guard let value = self else { return writer.null() }
    value.write(to: &writer)
  }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
  public static var jsonTypeName: String { "array of \(Element.jsonTypeName)" }
  public static var jsonSchema: JSONSchema { .array(of: Element.jsonSchema) }

  public init(json: JSON) throws(JSONMismatch) {
    guard case .array(let elements) = json else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
    self = []
    reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      do {
        append(try Element(json: element))
      } catch {
        throw error.nested(under: String(index))
      }
    }
  }

  public func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.write(to: &writer) }
    writer.endArray()
  }
}

/// The JSON of a dictionary is an object. Its members are written in the order of their names.
extension Dictionary: JSONRepresentable where Key == String, Value: JSONRepresentable {
  public static var jsonTypeName: String { "object of \(Value.jsonTypeName)" }
  public static var jsonSchema: JSONSchema { .dictionary(of: Value.jsonSchema) }

  public init(json: JSON) throws(JSONMismatch) {
    guard case .object(let members) = json else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
    self.init(minimumCapacity: members.count)
    for member in members {
      do {
        self[member.name] = try Value(json: member.value)
      } catch {
        throw error.nested(under: member.name)
      }
    }
  }

  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, value) in sorted(by: { $0.key < $1.key }) {
      writer.key(name)
      value.write(to: &writer)
    }
    writer.endObject()
  }
}
