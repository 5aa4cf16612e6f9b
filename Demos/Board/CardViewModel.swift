// SPDX-License-Identifier: MIT
import Euripus

/// A card of a board.
final class CardViewModel: ViewModel {
  @Observed var text: ShortText
  @Observed var column: BoardColumn
  /// The names of the people who are at the card.
  lazy var here = Computed(self) { card in
    try card.people.rows.filter { $0.card == card.key }.map { try $0.name.get() }.joined(separator: ", ")
  }
  private let people: KeyedList<BoardVisitor>
  private let key: String

  init(_ text: String, _ column: BoardColumn, _ people: KeyedList<BoardVisitor>, key: String) {
    (self.text, self.column, self.people, self.key) = (ShortText(text), column, people, key)
  }

  static let surface = Surface<CardViewModel>(
    "card", .twoWay("text", \.$text), .value("column", \.$column), .value("here", \.here))
}

/// A person who looks at a board.
final class BoardVisitor: ViewModel {
  lazy var name = Computed(self) { $0.names.value[$0.member.client] ?? $0.member.user?.name ?? "Guest" }
  /// The card that the person is at.
  @Observed var card: String?
  private let member: SessionMember
  private let names: Observable<[String: String]>

  init(_ member: SessionMember, _ names: Observable<[String: String]>) { (self.member, self.names) = (member, names) }

  static let surface = Surface<BoardVisitor>("visitor", .value("name", \.name), .value("card", \.$card))
}
