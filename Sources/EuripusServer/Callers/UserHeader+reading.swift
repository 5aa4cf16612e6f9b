// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

extension UserHeader {
  /// The user that a request's fields name; `nil` if they name none.
  ///
  /// - Parameter isTrusted: whether the request is from a trusted proxy.
  /// - Throws: `bad-request` for fields from a client that is not believed, for a field that comes twice, and
  ///   for a name that another server may take for the same.
  func user(in fields: [(name: String, value: String)], isTrusted: Bool) throws(Problem) -> User? {
    var values: [String: String] = [:]
    for field in fields {
      let name = field.name.lowercased()
      let plain = name.replacing("_", with: "-")
      guard names.contains(plain) else { continue }
      guard isTrusted else {
        throw Problem(
          .badRequest, "the request says by '\(field.name)' who its user is, and comes from no trusted proxy")
      }
      guard name == plain else {
        throw Problem(.badRequest, "expected '\(plain)', got the field '\(field.name)', which may be taken for it")
      }
      guard values.updateValue(field.value, forKey: name) == nil else {
        throw Problem(.badRequest, "expected one field '\(field.name)', got several")
      }
    }
    guard let id = values[id.lowercased()], !id.isEmpty else { return nil }
    // Bytes that are not UTF-8 were replaced, and two users must not become one by that.
    guard !id.unicodeScalars.contains("\u{FFFD}") else {
      throw Problem(.badRequest, "expected the id of a user in UTF-8")
    }
    guard id.utf8.count <= Self.longestID else {
      throw Problem(.badRequest, "expected the id of a user of at most \(Self.longestID) bytes")
    }
    let roles = groups.flatMap { values[$0.lowercased()] } ?? ""
    let claims = claims.sorted { $0.key < $1.key }.compactMap { claim, field in
      values[field.lowercased()].map { JSON.Member(name: claim, value: .string($0)) }
    }
    return User(
      id: id, name: name.flatMap { values[$0.lowercased()] } ?? "",
      roles: Set(roles.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }.map(String.init)),
      claims: .object(claims))
  }

  private static let longestID = 256

  /// The names of all fields, in lower case.
  private var names: Set<String> {
    Set(([id] + [name, groups].compactMap(\.self) + claims.values).map { $0.lowercased() })
  }
}
