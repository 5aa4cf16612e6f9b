// SPDX-License-Identifier: MIT
import ObservableCore

/// The users that an entry of a surface is for.
///
/// ```swift
/// .action("delete", Board.delete).for(.role("owner"))
/// .value("salary", \.$salary).visible(to: .role("accounts"))
/// ```
public struct Audience: Sendable {
  /// The words for it in errors and documentation, after "for".
  let words: String
  private let isMember: @Sendable (User) -> Bool

  /// Everybody who has signed in.
  public static let signedIn = Audience(words: "who has signed in") { _ in true }

  /// The users with a role.
  public static func role(_ role: String) -> Audience {
    Audience(words: "the role '\(role)'") { $0.roles.contains(role) }
  }

  /// The users with one of several roles, or more of them.
  public static func anyRole(_ roles: String...) -> Audience {
    let words = roles.map { "'\($0)'" }.joined(separator: ", ")
    return Audience(words: "one of the roles \(words)") { !$0.roles.isDisjoint(with: roles) }
  }

  /// The users for whom `condition` is true: it sees nothing but the user.
  ///
  /// - Parameter words: the words for them in errors and documentation, after "for": "members of the board".
  public static func users(_ words: String, where condition: @escaping @Sendable (User) -> Bool) -> Audience {
    Audience(words: words, isMember: condition)
  }

  private init(words: String, isMember: @escaping @Sendable (User) -> Bool) {
    (self.words, self.isMember) = (words, isMember)
  }

  /// Whether a user is one of them; nobody is none. For a value by which a page knows whether it may do what is for them alone.
  ///
  /// ```swift
  /// static let keepers = Audience.role("owner")
  /// lazy var canDelete = Computed(self) { try Board.keepers.contains($0.context.user.get()) }
  /// ```
  public func contains(_ user: User?) -> Bool { user.map(isMember) ?? false }

  /// Whether the user of the session is a member, whose graph is entered. Within a formula it is followed.
  var isPresent: Bool { contains((try? SessionContext.entered.user.get()) ?? nil) }
}
