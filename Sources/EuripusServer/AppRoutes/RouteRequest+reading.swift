// SPDX-License-Identifier: MIT
public import JSONPatching

extension RouteRequest {
  /// The value of a parameter in the route's path.
  ///
  /// - Throws: an error that names the route's parameters, if this is not one of them. It is a mistake in the
  ///   program, so the client gets a `500`.
  public func parameter(_ name: String) throws -> String {
    guard let value = parameters[name] else {
      throw UnknownParameter(name: name, known: parameters.keys.sorted())
    }
    return value
  }

  /// The value of a parameter in the route's path, as a number or another type that can be read from a text.
  ///
  /// - Throws: a ``RouteProblem`` with `404`, if the text is not of that type.
  public func parameter<Value: LosslessStringConvertible>(
    _ name: String, as type: Value.Type = Value.self
  ) throws -> Value {
    let text = try parameter(name)
    guard let value = Value(text) else {
      throw RouteProblem(404, "nothing here has this path: expected \(Value.self) in place of {\(name)}")
    }
    return value
  }

  /// The first value with this name in the query; `nil` if there is none.
  public func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// The value of the first header field with this name, in any case of its letters.
  public func field(_ name: String) -> String? {
    let name = name.lowercased()
    return fields.first { $0.name.lowercased() == name }?.value
  }

  /// The body as JSON, whatever its media type, read strictly (PROTOCOL §7).
  ///
  /// - Throws: an error that the client gets as `400 malformed-json`.
  public func json() throws -> JSON {
    do { return try JSONReader.read(body) } catch { throw Problem(error) ?? error }
  }

  /// The body as JSON of a type.
  ///
  /// - Throws: the error of ``json()``, and a ``RouteProblem`` with `422` that says where another type was
  ///   expected.
  public func json<Value: JSONRepresentable>(as type: Value.Type = Value.self) throws -> Value {
    do { return try Value(json: try json()) } catch let mismatch as JSONMismatch {
      throw RouteProblem(422, "\(mismatch)")
    }
  }

  /// The fields of a body in the form that pages send, `application/x-www-form-urlencoded`, decoded and in
  /// order.
  ///
  /// - Throws: a ``RouteProblem`` with `400` for a body that has another form.
  public func form() throws -> [(name: String, value: String)] {
    guard let items = FormText.items(body[...]) else {
      throw RouteProblem(400, "expected a form in UTF-8, percent-encoded")
    }
    return items
  }

  private struct UnknownParameter: Error, CustomStringConvertible {
    let name: String
    let known: [String]

    var description: String {
      let expected = known.isEmpty ? "there is none" : "expected one of: \(known.joined(separator: ", "))"
      return "the route's path has no parameter '\(name)'; \(expected)"
    }
  }
}
