// SPDX-License-Identifier: MIT
public import JSONPatching

/// A person or a program that has proved its identity: to a proxy, to the app, or to a view model.
///
/// No client sees it by itself: a surface declares the parts of it that may be seen, such as `Computed(self) {
/// $0.context.user.value?.name ?? "" }`.
public struct User: Sendable, Equatable {
  /// A text that stays the same for as long as the user exists, and is never another's: an account's number, a
  /// `sub` claim.
  public let id: String
  /// The name for people.
  public var name: String
  /// The roles. The rules of surfaces ask for them by ``Audience/role(_:)``.
  public var roles: Set<String>
  /// Further claims, as a JSON object.
  public var claims: JSON

  public init(id: String, name: String = "", roles: Set<String> = [], claims: JSON = .object([])) {
    (self.id, self.name, self.roles, self.claims) = (id, name, roles, claims)
  }
}

/// A guest of a room who has not signed in: the roles in that room alone.
extension User {
  /// No user of an app has this id: a NUL stands in no header, and in no claim.
  private static let unknownID = "\u{0}guest"

  /// Nobody who has signed in, without roles.
  package static var unknown: User { User(id: unknownID) }

  /// Whether nobody has signed in.
  var isUnknown: Bool { id == Self.unknownID }
}

extension User {
  /// The user as the store has it.
  package var json: JSON {
    .object([
      .init(name: "id", value: .string(id)), .init(name: "name", value: .string(name)),
      .init(name: "roles", value: .array(roles.sorted().map { .string($0) })), .init(name: "claims", value: claims),
    ])
  }

  /// Reads the form of ``json``; `nil` for anything else.
  package init?(stored json: JSON) {
    guard case .string(let id)? = json["id"], case .string(let name)? = json["name"],
      case .array(let roles)? = json["roles"], let claims = json["claims"]
    else { return nil }
    let names = roles.compactMap { role -> String? in if case .string(let text) = role { text } else { nil } }
    self.init(id: id, name: name, roles: Set(names), claims: claims)
  }
}
