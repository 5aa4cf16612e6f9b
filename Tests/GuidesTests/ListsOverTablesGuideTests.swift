// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Testing

struct Book: Codable, JSONRepresentable, Equatable, Sendable {
  var id: Int
  var title: String
}

/// The books that a person looks for, and the part of them that the page shows.
struct BookSearch: Equatable, Sendable {
  var words: String
  var order: String
  var window: ListWindow
}

struct Books: Sendable {
  static let migrations = [Migration(1, "CREATE TABLE books (id bigint PRIMARY KEY, title text NOT NULL)")]
  let database: AppDatabase

  func find(_ search: BookSearch) async throws -> (books: [Book], first: Int, total: Int) {
    try await database.read { tables in
      let like = "%\(search.words)%"
      let total = try tables.query("SELECT count(*) FROM books WHERE title LIKE ?", like, as: Int.self)[0]
      let window = search.window.within(total)
      let books = try tables.query(
        """
        SELECT id, title FROM books WHERE title LIKE ?
          ORDER BY CASE WHEN ? = 'falling' THEN title END DESC, title, id LIMIT ? OFFSET ?
        """, like, search.order, window.count, window.first, as: Book.self)
      return (books, window.first, total)
    }
  }
}

final class BookList: ViewModel {
  enum Order: String, CaseIterable, JSONRepresentable { case rising, falling }

  @Observed var words = ""
  @Observed var order = Order.rising
  let rows = KeyedList<BookRow>(window: 40)
  lazy var isReading = Computed(self) { try $0.reading?.isReading.get() ?? false }
  private lazy var search = Computed(self) { list in
    let window = try list.rows.window?.get() ?? ListWindow(first: 0, count: 40)
    return BookSearch(words: list.words, order: list.order.rawValue, window: window)
  }
  private let books: Books
  private let context: SessionContext
  private var reading: TopicFollowing?

  init(_ books: Books, _ context: SessionContext) {
    (self.books, self.context) = (books, context)
    reading = context.follow("books", and: search, by: self, BookList.read)
  }

  nonisolated(nonsending) func read() async throws {
    let found = try await books.find(search.get())
    rows.show(found.books, from: found.first, of: found.total, key: { "\($0.id)" }) {
      BookRow($0)
    } update: { row, book in
      row.book = book
    }
  }

  func add(_ title: String, _ database: DatabaseTransaction) throws {
    let id = try database.query("SELECT coalesce(max(id), 0) + 1 FROM books", as: Int.self)[0]
    try database.execute("INSERT INTO books VALUES (?, ?)", id, title)
    context.tell("books")
  }

  static let surface = Surface<BookList>(
    "books", .twoWay("words", \.$words).inAddress(.replace), .twoWay("order", \.$order).inAddress(),
    .value("isReading", \.isReading),
    .list("rows", \.rows, hasWindow: true) { _, key in BookRow(Book(id: Int(key) ?? 0, title: "")) },
    .action("add", BookList.add).repeatable())
}

final class BookRow: ViewModel {
  @Observed var book: Book
  lazy var title = Computed(self) { $0.book.title }

  init(_ book: Book) { self.book = book }

  static let surface = Surface<BookRow>("book-row", .value("title", \.title), .stored("book", \.$book))
}

/// The Swift of the guide "A list over a table", compiled and run.
@Suite(.timeLimit(.minutes(30))) struct `The guide on lists over tables` {
  @Test func `shows the books that are looked for, and those that others add`() async throws {
    let database = try TestDatabase(Books.migrations)
    let list = try ModelDriver(at: "/books", address: "/books?words=sea", database: database) {
      BookList(Books(database: database.app), $0)
    }
    let other = try ModelDriver(database: database) { BookList(Books(database: database.app), $0) }
    for title in ["The old sea", "Mountains", "A sea of grass"] { try other.perform("add", title) }
    await list.wait { $0["rows/count"] == 2 }
    #expect(list["rows/items/3/title"] == "A sea of grass")
    #expect(list["rows/order"] == ["3", "1"])
    try list.set("order", "falling")
    await list.wait { $0["rows/order/0"] == "1" }
    try list.set("rows/window", ["first": 1, "count": 1])
    await list.wait { $0["rows/order"] == ["3"] && $0["isReading"] == false }
    #expect(list["rows/window"] == ["first": 1, "count": 1])
  }

  @Test func `has its rows after a restart`() async throws {
    let database = try TestDatabase(Books.migrations)
    let other = try ModelDriver(database: database) { BookList(Books(database: database.app), $0) }
    for title in ["The old sea", "Mountains", "A sea of grass"] { try other.perform("add", title) }
    try await expectRestorable { BookList(Books(database: database.app), $0) }
  }
}
