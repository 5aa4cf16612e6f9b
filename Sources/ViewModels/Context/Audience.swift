// SPDX-License-Identifier: MIT
import ObservableCore

/// The users that an entry of a surface is for.
///
/// ```swift
/// .action("delete", Board.delete).for(.role("owner"))
/// .value("salary", \.$salary).visible(to: .role("accounts"))
/// ```
public struct Audience: Sendable {
  /// The words for it in errors and documentation; they stand after "for".
  let words: String
  private let isMember: @Sendable (User) -> Bool

  /// Every user who has signed in.
  public static let signedIn = Audience(words: "users who have signed in") { _ in true }

  /// The users with a role.
  public static func role(_ role: String) -> Audience {
    Audience(words: "the role '\(role)'") { $0.roles.contains(role) }
  }

  /// The users with at least one of several roles.
  public static func anyRole(_ roles: String...) -> Audience {
    let words = roles.map { "'\($0)'" }.joined(separator: ", ")
    return Audience(words: "one of the roles \(words)") { !$0.roles.isDisjoint(with: roles) }
  }

  /// The users for whom `condition` is true. It sees nothing but the user.
  ///
  /// - Parameter words: the words for them in errors and documentation; they stand after "for", as "members of
  ///   the board" does.
  public static func users(_ words: String, where condition: @escaping @Sendable (User) -> Bool) -> Audience {
    Audience(words: words, isMember: condition)
  }

  private init(words: String, isMember: @escaping @Sendable (User) -> Bool) {
    (self.words, self.isMember) = (words, isMember)
  }

  /// Whether a user is one of them; `nil`, for nobody, is not. A page can show by it whether it may do
  /// something that is for them alone.
  ///
  /// ```swift
  /// static let keepers = Audience.role("owner")
  /// lazy var canDelete = Computed(self) { try Board.keepers.contains($0.context.user.get()) }
  /// ```
  public func contains(_ user: User?) -> Bool { user.map(isMember) ?? false }

  /// Whether the user of the entered graph's session is a member. A formula that asks follows the user.
  var isPresent: Bool { contains((try? SessionContext.entered.user.get()) ?? nil) }
}
