// SPDX-License-Identifier: MIT
public import Euripus

/// One person's own search in a board, beside the board on the page.
public final class CardFinder: ViewModel {
  /// The part of the board that the search reads.
  struct Shown: Codable, JSONRepresentable, Equatable {
    struct Card: Codable, Equatable { var text: String }
    var cards: ShownRows<Card>
  }

  @Observed var words = ShortText("")
  lazy var found = Computed(self) { finder in
    let words = finder.words.text.lowercased()
    if words.isEmpty { return [String]() }
    return try finder.board.get()?.cards.rows.filter { $0.row.text.lowercased().contains(words) }.map(\.key) ?? []
  }
  lazy var count = Computed(self) { $0.words.text.isEmpty ? nil : try $0.found.get().count }
  private let board: ObservableValue<Shown?>

  public init(_ context: SessionContext) {
    board = context.room(BoardViewModel.self, context.params(BoardName.self), as: Shown.self)
  }

  public static let surface = Surface<CardFinder>(
    "card-finder", about: "One person's own search in a board.",
    .params(BoardName.self),
    .twoWay("words", \.$words),
    .value("found", \.found).about("The keys of the cards that have the words in them."),
    .value("count", \.count).about("Their number; null without words."))
}
