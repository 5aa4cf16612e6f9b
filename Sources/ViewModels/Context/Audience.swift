// SPDX-License-Identifier: MIT
import ObservableCore

/// The users that an entry of a surface is for.
///
/// ```swift
/// .action("delete", Board.delete).for(.role("owner"))
/// .value("salary", \.$salary).visible(to: .role("accounts"))
/// ```
public struct Audience: Sendable, Equatable {
  private enum Members: Equatable {
    case all
    case roles(Set<String>)
    case those(Condition)
  }

  /// An app's own condition. Two are equal if they are the same one.
  private final class Condition: Sendable, Equatable {
    let holds: @Sendable (User) -> Bool

    init(_ holds: @escaping @Sendable (User) -> Bool) { self.holds = holds }

    static func == (one: Condition, other: Condition) -> Bool { one === other }
  }

  /// The words for it in errors and documentation; they stand after "for".
  package let words: String
  private let members: Members

  /// Every user who has signed in.
  public static let signedIn = Audience("users who have signed in", .all)

  /// The users with a role.
  public static func role(_ role: String) -> Audience { Audience("the role '\(role)'", .roles([role])) }

  /// The users with at least one of several roles.
  public static func anyRole(_ roles: String...) -> Audience {
    let words = roles.map { "'\($0)'" }.joined(separator: ", ")
    return Audience("one of the roles \(words)", .roles(Set(roles)))
  }

  /// The users for whom `condition` is true. It sees nothing but the user.
  ///
  /// - Parameter words: the words for them in errors and documentation; they stand after "for", as "members of
  ///   the board" does.
  public static func users(_ words: String, where condition: @escaping @Sendable (User) -> Bool) -> Audience {
    Audience(words, .those(Condition(condition)))
  }

  private init(_ words: String, _ members: Members) { (self.words, self.members) = (words, members) }

  /// Whether a user is one of them; `nil`, for nobody, is not. A page can show by it whether it may do
  /// something that is for them alone.
  ///
  /// ```swift
  /// static let keepers = Audience.role("owner")
  /// lazy var canDelete = Computed(self) { try Board.keepers.contains($0.context.user.get()) }
  /// ```
  public func contains(_ user: User?) -> Bool {
    guard let user else { return false }
    return switch members {
    case .all: !user.isUnknown
    case .roles(let roles): !user.roles.isDisjoint(with: roles)
    case .those(let condition): !user.isUnknown && condition.holds(user)
    }
  }

  /// The roles that it names, none for all who have signed in; `nil` for an app's own condition.
  var namedRoles: Set<String>? {
    switch members {
    case .all: []
    case .roles(let roles): roles
    case .those: nil
    }
  }

  /// Whether the user of the entered graph's session is a member. A formula that asks follows the user.
  ///
  /// A room has several users. Its state has everything, and each reader is shown what it may see (``RoomView``).
  var isPresent: Bool {
    let context = SessionContext.entered
    return context.owner == .room || contains((try? context.user.get()) ?? nil)
  }

  /// Whether the user who acts in the entered graph's session is a member.
  var mayAct: Bool {
    let context = SessionContext.entered
    return context.owner == .room ? contains(context.action?.actor) : isPresent
  }
}
