// The view model "every-thing" as its clients have it: printed by `app types every-thing --swift`.
import EuripusClient
import EuripusMirror
import Foundation
import ObservableCore

/// One of each */ kind.
@MainActor final class RemoteEveryThing {
  let remote: Remote<EveryThingState>
  init(_ remote: Remote<EveryThingState>) { self.remote = remote }

  /// Opens a session.
  static func open(at server: URL, params: Params) async throws -> RemoteEveryThing {
    RemoteEveryThing(try await Remote(opening: "every-thing", at: server, params: params))
  }

  private(set) lazy var count = remote.value(\.count)
  /// A note, or none.
  private(set) lazy var note = remote.value(\.note)
  private(set) lazy var card = remote.value(\.card)
  private(set) lazy var wish = remote.value(\.wish)
  private(set) lazy var share = remote.value(\.share)
  private(set) lazy var isOn = remote.value(\.isOn)
  /// Absent while it is set; its value is never shown.
  private(set) lazy var password = remote.value(\.password)
  /// Absent but for the role 'accounts'.
  private(set) lazy var wages = remote.value(\.wages)
  private(set) lazy var email = remote.value(\.email)
  private(set) lazy var rows = remote.value(\.rows)
  private(set) lazy var things = remote.value(\.things)
  private(set) lazy var numbers = remote.value(\.numbers)
  private(set) lazy var child = remote.value(\.child)
  private(set) lazy var `default` = remote.value(\.`default`)
  /// Publishes a note.
  private(set) lazy var publish = remote.value(\.publish)
  private(set) lazy var rest = remote.value(\.rest)

  func set(note value: String?) async throws { try await remote.set("note", value) }
  func set(card value: Card) async throws { try await remote.set("card", value) }
  func set(share value: Double) async throws { try await remote.set("share", value) }
  func set(isOn value: Bool) async throws { try await remote.set("is-on", value) }
  func set(password value: String) async throws { try await remote.set("password", value) }
  func set(wages value: Int) async throws { try await remote.set("wages", value) }
  func set(emailValue value: String) async throws { try await remote.set("email/value", value) }
  func set(rowsRowText value: String, key: String) async throws {
    try await remote.set("rows/items/\(step: key)/text", value)
  }
  func set(thingsRowText value: String, key: String) async throws {
    try await remote.set("things/items/\(step: key)/text", value)
  }
  func set(numbersWindow value: ListWindow) async throws { try await remote.set("numbers/window", value) }
  func set(numbersRowText value: String, key: String) async throws {
    try await remote.set("numbers/items/\(step: key)/text", value)
  }

  func rowsRowShout(key: String) async throws { try await remote.perform("rows/items/\(step: key)/shout") }
  func thingsRowShout(key: String) async throws { try await remote.perform("things/items/\(step: key)/shout") }
  func thingsRowGrow(key: String) async throws { try await remote.perform("things/items/\(step: key)/grow") }
  func numbersRowShout(key: String) async throws { try await remote.perform("numbers/items/\(step: key)/shout") }
  func childGrow() async throws { try await remote.perform("child/grow") }
  func show(_ value: Card) async throws { try await remote.perform("show", value) }
  func want(_ value: Wish) async throws { try await remote.perform("want", value) }
  @discardableResult
  func double(_ value: Int) async throws -> Int? { try await remote.perform("double", value).decoded() }
  @discardableResult
  func find(_ value: String) async throws -> Card? { try await remote.perform("find", value).decoded() }
  func move(_ value: EveryThingMove) async throws { try await remote.perform("move", value) }
  func init_() async throws { try await remote.perform("init") }
  /// Publishes a note.
  @discardableResult
  func publish(_ value: String, wait seconds: Int = 0) async throws -> Card? {
    try await remote.perform("publish", value, wait: seconds).decoded()
  }
  func cancelPublish() async throws { try await remote.cancel("publish") }
  func rest(wait seconds: Int = 0) async throws { try await remote.perform("rest", wait: seconds) }
  func cancelRest() async throws { try await remote.cancel("rest") }
  func clear() async throws { try await remote.perform("clear") }
}

extension RemoteEveryThing {
  /// One of each */ kind.
  struct EveryThingState: Codable, Equatable, Sendable {
    var count: Int
    /// A note, or none.
    var note: String?
    var card: Card
    var wish: Wish
    var share: Double
    var isOn: Bool
    /// Absent while it is set; its value is never shown.
    var password: String?
    /// Absent but for the role 'accounts'.
    var wages: Int?
    var email: EmailFieldState
    var rows: RemoteRows<RowState>
    var things: RemoteRows<EveryThingThingsRow>
    var numbers: RemoteWindow<RowState>
    var child: ChildState?
    var `default`: Date?
    /// Publishes a note.
    var publish: RemoteCommand<Card>
    var rest: RemoteCommand<JSON>
    enum CodingKeys: String, CodingKey {
      case count, note, card, wish, share
      case isOn = "is-on"
      case password, wages, email, rows, things, numbers, child, `default`, publish, rest
    }
  }

  struct Card: Codable, Equatable, Sendable {
    var title: String
    var colour: Colour
    var due: Date?
    var labels: [Label]
    var weights: [String: Double]
    var theId: UUID
    enum CodingKeys: String, CodingKey {
      case title, colour, due, labels, weights
      case theId = "the-id"
    }
  }

  struct ListWindow: Codable, Equatable, Sendable {
    var first: Int
    var count: Int
  }

  struct Wish: Codable, Equatable, Sendable {
    @OrNull var text: String?
  }

  struct EveryThingMove: Codable, Equatable, Sendable {
    var card: String
    var index: Int
  }

  struct Params: Codable, Equatable, Sendable {
    var start: Int
    var title: String?
  }

  struct EmailFieldState: Codable, Equatable, Sendable {
    var value: String
    var error: String?
    var touched: Bool
    var bounds: EmailFieldBounds
  }

  struct RowState: Codable, Equatable, Sendable {
    var text: String
  }

  enum EveryThingThingsRow: Codable, Equatable, Sendable {
    case row(RowRow)
    case child(ChildRow)
    init(from decoder: any Decoder) throws {
      switch try RowKind(from: decoder).kind {
      case "row": self = .row(try RowRow(from: decoder))
      case "child": self = .child(try ChildRow(from: decoder))
      default: throw RowKind.unknown(decoder)
      }
    }
    func encode(to encoder: any Encoder) throws {
      switch self {
      case .row(let row): try row.encode(to: encoder)
      case .child(let row): try row.encode(to: encoder)
      }
    }
  }

  struct ChildState: Codable, Equatable, Sendable {
    var depth: Int
    var child: Boxed<ChildState>?
  }

  enum Colour: String, Codable, Sendable {
    case red, blue
  }

  struct Label: Codable, Equatable, Sendable {
    var text: String
  }

  struct EmailFieldBounds: Codable, Equatable, Sendable {
    var required: Bool
  }

  struct RowRow: Codable, Equatable, Sendable {
    var kind: String
    var text: String
  }

  struct ChildRow: Codable, Equatable, Sendable {
    var kind: String
    var depth: Int
    var child: ChildState?
  }
}
