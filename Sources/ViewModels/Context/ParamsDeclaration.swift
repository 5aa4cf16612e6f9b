// SPDX-License-Identifier: MIT
package import JSONPatching

/// The parameters that a surface declares.
package struct ParamsDeclaration: Sendable {
  let type: ObjectIdentifier
  /// The type's name.
  let name: String
  package let schema: JSONSchema
  private let check: @Sendable (JSON) -> JSONMismatch?
  /// The JSON that the type writes for parameters that fit, with the members of each object in the order of their names.
  let normal: @Sendable (JSON) throws -> JSON

  init<Params: JSONRepresentable>(_ type: Params.Type) {
    self.type = ObjectIdentifier(type)
    name = "\(type)"
    schema = Params.jsonSchema
    check = { json in
      do throws(JSONMismatch) { _ = try Params(json: json) } catch { return error }
      return nil
    }
    normal = { json in
      var writer = JSONWriter()
      try Params(json: json).write(to: &writer)
      return try JSONReader.read(writer.bytes).sorted
    }
  }

  /// All faults of parameters, at any depth, each with its place: unknown members, missing ones, and values of
  /// another type.
  func faults(of params: JSON) -> [JSONMismatch] {
    guard case .object = params else {
      return [JSONMismatch(expected: "an object of parameters", found: params)]
    }
    var rest = params
    var faults = Array(rest.complete(by: schema.json).prefix(Self.most))
    var places = Set<[String]>()
    // Decoding ends at the first value that does not fit. So each faulty value is replaced by a sample, which
    // fits.
    while faults.count < Self.most, let fault = check(rest) {
      var place = fault.pointer.tokens
      if !places.contains(place) { faults.append(fault) }
      // Where the sample does not fit either, the value around it is replaced.
      while !place.isEmpty, !places.insert(place).inserted || !rest.replace(at: place[...], by: schema.json) {
        place.removeLast()
      }
      if place.isEmpty { break }
    }
    return faults
  }

  /// The schema of parameters that fit, which have no other members at any depth.
  package var closedSchema: JSONSchema { JSONSchema(schema.json.closed) }

  /// The most faults that one answer tells: each costs one more decoding of all.
  private static let most = 20
}

extension JSON {
  /// The same schema, whose objects have no other members than those that it names.
  fileprivate var closed: JSON {
    switch self {
    case .object(let members):
      var closed = JSON.object(members.map { JSON.Member(name: $0.name, value: $0.value.closed) })
      if case .object(let properties)? = self["properties"], !properties.isEmpty, self["additionalProperties"] == nil {
        closed["additionalProperties"] = .bool(false)
      }
      return closed
    case .array(let elements): return .array(elements.map(\.closed))
    case .null, .bool, .integer, .number, .string: return self
    }
  }

  /// The same value, with the members of each object in the order of their names.
  fileprivate var sorted: JSON {
    switch self {
    case .object(let members):
      .object(members.map { Member(name: $0.name, value: $0.value.sorted) }.sorted { $0.name < $1.name })
    case .array(let elements): .array(elements.map(\.sorted))
    case .null, .bool, .integer, .number, .string: self
    }
  }

  /// Puts in samples of the members that a schema requires and that are missing, at any depth.
  ///
  /// - Returns: the faults: these members, and members that the schema does not have.
  fileprivate mutating func complete(by schema: JSON, at place: [String] = []) -> [JSONMismatch] {
    guard let schema = form(in: schema) else { return [] }
    switch self {
    case .object(let members):
      guard case .object(let properties)? = schema["properties"] else { return [] }
      let names = properties.map(\.name)
      var faults = members.filter { member in !names.isEmpty && !names.contains(member.name) }.map { member in
        JSONMismatch(
          expected: "one of: \(names.joined(separator: ", "))", found: "'\(member.name)'",
          at: JSONPointer(place + [member.name]))
      }
      for property in properties {
        let inner = place + [property.name]
        if var value = self[property.name] {
          faults += value.complete(by: property.value, at: inner)
          self[property.name] = value
        } else if schema.requires(property.name) {
          faults.append(JSONMismatch(expected: "a value", found: "nothing", at: JSONPointer(inner)))
          self[property.name] = JSONSchema(property.value).sample
        }
      }
      return faults
    case .array(var elements):
      guard let item = schema["items"] else { return [] }
      let faults = elements.indices.flatMap { elements[$0].complete(by: item, at: place + ["\($0)"]) }
      self = .array(elements)
      return faults
    case .null, .bool, .integer, .number, .string: return []
    }
  }

  /// Replaces a value within this one by a sample.
  ///
  /// - Returns: whether the schema has a sample for it.
  fileprivate mutating func replace(at place: ArraySlice<String>, by schema: JSON) -> Bool {
    guard let token = place.first else {
      self = JSONSchema(schema).sample
      return true
    }
    guard let schema = form(in: schema) else { return false }
    switch self {
    case .object:
      guard case .object(let properties)? = schema["properties"], var value = self[token],
        let inner = properties.first(where: { $0.name == token })?.value,
        value.replace(at: place.dropFirst(), by: inner)
      else { return false }
      self[token] = value
      return true
    case .array(var elements):
      guard let index = Int(token), elements.indices.contains(index), let item = schema["items"],
        elements[index].replace(at: place.dropFirst(), by: item)
      else { return false }
      self = .array(elements)
      return true
    case .null, .bool, .integer, .number, .string: return false
    }
  }

  /// The form of a schema that fits this value; `nil` if several fit, or none.
  private func form(in schema: JSON) -> JSON? {
    guard case .array(let forms)? = schema["anyOf"] else { return schema }
    let type: JSON? =
      switch self {
      case .object: "object"
      case .array: "array"
      case .null, .bool, .integer, .number, .string: nil
      }
    let fitting = forms.filter { $0["type"] == type }
    return fitting.count == 1 ? fitting.first : nil
  }

  /// Whether a schema of an object has a member as required.
  private func requires(_ name: String) -> Bool {
    if case .array(let names)? = self["required"] { names.contains { $0 == .string(name) } } else { false }
  }
}
