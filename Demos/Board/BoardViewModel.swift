// SPDX-License-Identifier: MIT
public import Euripus

/// Names a board.
public struct BoardName: Codable, JSONRepresentable, Sendable { var board: String }

enum BoardColumn: String, CaseIterable, Codable, JSONRepresentable { case todo, doing, done }

/// A board of cards. Everybody who opens it with the same name is in it.
public final class BoardViewModel: ViewModel {
  struct NewCard: Codable, JSONRepresentable {
    var column: BoardColumn
    var text: String
  }

  struct Move: Codable, JSONRepresentable {
    var card: String
    var column: BoardColumn
    var before: String?
  }

  static let mostCards = 60

  @Observed var title = ShortText("Our picnic")
  let cards = KeyedList<CardViewModel>()
  let people: KeyedList<BoardVisitor>
  lazy var canAdd = Computed(self) { $0.cards.rows.count < BoardViewModel.mostCards }
  /// The number of cards that were ever added, for their keys.
  @Observed private var added = 0
  /// The names that people have given themselves, by their clients.
  private let names = Observable([String: String]())
  private let context: SessionContext

  public init(_ context: SessionContext) {
    self.context = context
    people = context.memberList { [names] in BoardVisitor($0, names) }
    add(NewCard(column: .todo, text: "Bring a blanket"))
    add(NewCard(column: .todo, text: "Ask Lena for her cake"))
    add(NewCard(column: .doing, text: "Find a place in the shade"))
  }

  func add(_ new: NewCard) {
    guard !new.text.isEmpty, cards.count < Self.mostCards else { return }
    added += 1
    cards.append(CardViewModel(new.text, new.column, people, key: "\(added)"), key: "\(added)")
  }

  func remove(_ card: String) { cards.remove(card) }

  /// Puts a card into a column, before another card or at the end.
  func move(_ move: Move) {
    guard let card = cards[move.card], move.before != move.card else { return }
    card.column = move.column
    let others = cards.keys.filter { $0 != move.card }
    cards.move(move.card, to: others.firstIndex { $0 == move.before } ?? others.count)
  }

  /// Gives whoever acts a name, which the board remembers.
  func call(_ name: ShortText) {
    if names.value.count > 200 { names.value = names.value.filter { people[$0.key] != nil } }
    names.value[context.action?.client ?? ""] = name.text.isEmpty ? nil : name.text
  }

  /// Says at which card whoever acts is.
  func point(_ card: String?) {
    people[context.action?.client ?? ""]?.card = card.flatMap { cards[$0] == nil ? nil : $0 }
  }

  public static let surface = Surface<BoardViewModel>(
    "board", about: "Cards in three columns, shared by all who open the board.",
    .params(BoardName.self),
    .twoWay("title", \.$title),
    .list("cards", \.cards) { board, key in CardViewModel("", .todo, board.people, key: key) },
    .list("people", \.people).orderNotStored().about("The people who look at the board now."),
    .value("canAdd", \.canAdd), .stored("added", \.$added), .stored("names", \.names),
    .action("add", BoardViewModel.add), .action("remove", BoardViewModel.remove),
    .action("move", BoardViewModel.move).about("Puts a card into a column, before another one or at the end."),
    .action("call", BoardViewModel.call).about("Gives whoever performs it a name."),
    .action("point", BoardViewModel.point).about("Says at which card whoever performs it is."))
}
