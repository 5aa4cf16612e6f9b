// SPDX-License-Identifier: MIT
public import Euripus

/// A person that one can follow.
public struct Person: Sendable {
  /// The key of the person's row.
  public let id: String
  public let name: String
  /// The person's claim to fame.
  public let about: String

  public init(id: String, name: String, about: String) {
    self.id = id
    self.name = name
    self.about = about
  }
}

/// The people who can be followed, and the following. Its requests take time, may fail, and end early when their task
/// is cancelled.
public protocol FollowService: AnyObject {
  /// The people whom it can suggest without a request.
  var remembered: [Person] { get }

  /// The people to suggest beyond the first `count`.
  func suggestions(after count: Int) async throws -> (people: [Person], isLast: Bool)

  /// Follows the person, or does not any longer.
  ///
  /// - Parameter report: is told how far the request is, from 0 to 1.
  func setFollowed(_ person: Person, _ isFollowed: Bool, report: (Double) -> Void) async throws
}

/// The error of a service that cannot be reached.
public struct NoAnswer: PresentableError {
  public let name: String

  public init(about name: String) { self.name = name }

  public var type: String { "no-answer" }
  public var detail: String { "\(name): the service did not answer. Try again." }
}
