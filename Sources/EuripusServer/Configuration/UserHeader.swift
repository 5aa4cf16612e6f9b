// SPDX-License-Identifier: MIT

/// The fields in which a proxy that has checked a user names that user.
///
/// ```swift
/// configuration.trustedProxies = ["127.0.0.1"]
/// configuration.userHeader = UserHeader("X-Forwarded-User,groups=X-Forwarded-Groups")
/// ```
///
/// They are believed only from a trusted proxy. The proxy has to remove such fields if its own clients send
/// them. A request from elsewhere that has one is refused.
public struct UserHeader: Sendable, Equatable {
  /// The name of the field with the user's id.
  public let id: String
  /// The name of the field with the user's name for people.
  public let name: String?
  /// The name of the field with the user's roles, separated by commas.
  public let groups: String?
  /// The names of further claims, each with the name of its field.
  public let claims: [String: String]

  /// Reads the names of the fields: first that of the id, then after commas `name=`, `groups=` and further
  /// claims, each with its field.
  ///
  /// - Returns: `nil` for a text of another form.
  public init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    guard let id = parts.first, Self.isFieldName(id) else { return nil }
    var fields: [String: String] = [:]
    for part in parts.dropFirst() {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, !sides[0].isEmpty, Self.isFieldName(sides[1]),
        fields.updateValue(String(sides[1]), forKey: String(sides[0])) == nil
      else { return nil }
    }
    self.id = String(id)
    name = fields.removeValue(forKey: "name")
    groups = fields.removeValue(forKey: "groups")
    claims = fields
  }

  private static func isFieldName(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
