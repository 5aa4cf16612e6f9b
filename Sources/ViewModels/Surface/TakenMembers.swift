// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The members of the object that an action of several values takes.
struct TakenMembers: Sendable {
  private let names: [String]

  init(_ names: [String]) { self.names = names }

  /// - Precondition: there is a schema for each name.
  func schema(
    _ schemas: [JSONSchema], of action: String, file: StaticString, line: UInt
  ) -> JSONSchema {
    if schemas.count != names.count {
      refuseToStart(
        "action '\(action)': its method takes \(schemas.count) values, and there are \(names.count) names for them",
        expected: "a name for each value", remedy: "mend 'takes: \(names.map { "\"\($0)\"" }.joined(separator: ", "))'",
        file: file, line: line)
    }
    return .object(Array(zip(names, schemas)))
  }

  /// The object that came. It has exactly these members.
  func values(of change: Change) throws(SurfaceError) -> JSON {
    let json = change.json
    guard case .object(let members)? = json else { throw mismatch(json?.kindInWords ?? "no value") }
    if let other = members.first(where: { !names.contains($0.name) }) { throw mismatch("one with '\(other.name)'") }
    if let missing = names.first(where: { json?[$0] == nil }) { throw mismatch("one without '\(missing)'") }
    return .object(members)
  }

  func value<Value: JSONRepresentable>(_ index: Int, of json: JSON) throws(SurfaceError) -> Value {
    let name = names[index]
    guard let value = json[name] else { throw mismatch("one without '\(name)'") }
    do throws(JSONMismatch) { return try Value(json: value) } catch { throw .mismatch(error.nested(under: name)) }
  }

  private func mismatch(_ found: String) -> SurfaceError {
    .mismatch(JSONMismatch(expected: "an object with \(names.map { "'\($0)'" }.joined(separator: ", "))", found: found))
  }
}
