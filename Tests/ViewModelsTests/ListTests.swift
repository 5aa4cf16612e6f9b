// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

/// A list whose rows have a value, an action, and a command that is over at once.
final class Shelf: ViewModel {
  final class Book: ViewModel {
    let title: Observable<String>
    let shout = Observer<Void>()
    let buy: Command<Void, String>
    init(_ title: String) {
      self.title = Observable(title)
      let command = Command<Void, String>(self.title) { title, _, _ in try "bought " + title().value }
      buy = command
      shout.handle(self) { book, _ in book.title.value += "!" }
    }
    static let surface = Surface<Book>(
      "book", .twoWay("title", \.title), .action("shout", \.shout), .command("buy", \.buy))
  }

  struct Failure: Error {}
  let books = KeyedList<Book>()
  lazy var titles = Computed(self) { $0.books.rows.map(\.title.value).joined(separator: ",") }

  func add(_ key: String) { books.put(Book("Title \(key)"), key: key) }
  func remove(_ key: String) { books.remove(key) }
  func reverse() { books.update(books.keys.reversed()) { Book($0) } }
  func fail() throws {
    books.append(Book("half done"), key: "x")
    books.remove("a")
    throw Failure()
  }

  static let surface = Surface<Shelf>(
    "shelf", .list("books", \.books), .value("titles", \.titles), .action("add", Shelf.add),
    .action("remove", Shelf.remove), .action("reverse", Shelf.reverse), .action("fail", Shelf.fail))
}

@Suite struct `A keyed list` {
  private let shelf: ModelDriver

  init() throws { shelf = try ModelDriver { Shelf() } }

  static let command: JSON = ["enabled": true, "executing": false, "progress": .null, "result": .null, "error": .null]

  @Test func `is an order of keys and an item for each`() throws {
    #expect(shelf["books"] == ["order": [], "items": [:]])
    try shelf.perform("add", "a")
    try shelf.perform("add", "b/c~")
    #expect(
      shelf["books"] == [
        "order": ["a", "b/c~"],
        "items": [
          "a": ["title": "Title a", "buy": Self.command], "b/c~": ["title": "Title b/c~", "buy": Self.command],
        ],
      ])
    try shelf.perform("books/items/b~1c~0/shout")
    #expect(shelf["books/items/b~1c~0/title"] == "Title b/c~!")
    #expect(shelf["titles"] == "Title a,Title b/c~!")
  }

  @Test func `S1-9 a row has its own values, actions and commands, and an action of one changes that one alone`()
    throws
  {
    for key in ["a", "b", "c"] { try shelf.perform("add", .string(key)) }
    _ = shelf.takeChanges()
    #expect(try shelf.perform("books/items/b/buy") == "bought Title b")
    #expect(shelf.takeChanges() == ["books/items/b/buy/result"])
    try shelf.set("books/items/c/title", "C")
    #expect(shelf.takeChanges() == ["books/items/c/title", "titles"])
  }

  @Test func `refuses a row that there is not, and a path that goes nowhere`() throws {
    try shelf.perform("add", "a")
    try shelf.perform("remove", "a")
    #expect(
      refusal { try shelf.perform("books/items/a/shout") }
        == "no row 'books/items/a/shout': it never was, or it was removed")
    #expect(
      refusal { try shelf.perform("books/a/shout") }
        == "no value 'books/a/shout' on a list; expected one of: items/KEY/…")
    #expect(
      refusal { try shelf.set("books/order", ["a"]) }
        == "'books/order' is read-only: the view sees it and cannot write it")
    #expect(
      refusal { try shelf.perform("nope") }
        == "no action 'nope' on shelf; expected one of: add, books/…, fail, remove, reverse")
  }

  @Test func `goes back with an undone transaction, its keys included`() throws {
    for key in ["a", "b"] { try shelf.perform("add", .string(key)) }
    let before = shelf.state
    #expect(throws: ViewModelFailure.self) { try shelf.perform("fail") }
    #expect(shelf.state == before)
    try shelf.perform("books/items/a/shout")
    #expect(throws: SurfaceError.self) { try shelf.perform("books/items/x/shout") }
    try shelf.perform("remove", "a")
    #expect(shelf["books/order"] == ["b"])
  }

  @Test func `a formula finds rows by key while a transaction is undone`() throws {
    final class Finder: ViewModel {
      struct Failure: Error {}
      let rows = KeyedList<Shelf.Book>()
      lazy var found = Computed(self) { $0.rows["k"]?.title.value ?? "none" }
      init() { rows.append(Shelf.Book("old"), key: "k") }
      func replace() throws {
        rows.put(Shelf.Book("new"), key: "k")
        #expect(found.value == "new")
        throw Failure()
      }
      static let surface = Surface<Finder>("finder", .value("found", \.found), .action("replace", Finder.replace))
    }
    let finder = try ModelDriver { Finder() }
    for _ in 0..<3 {
      #expect(throws: ViewModelFailure.self) { try finder.perform("replace") }
      #expect(finder["found"] == "old")
    }
  }

  @Test func `S1-10 a row that goes and comes again is told once, however often`() throws {
    final class Reused: ViewModel {
      let row = Shelf.Book("one")
      let rows = KeyedList<Shelf.Book>()
      func show(_ isShown: Bool) { if isShown { rows.append(row, key: "k") } else { rows.remove("k") } }
      static let surface = Surface<Reused>("reused", .list("rows", \.rows), .action("show", Reused.show))
    }
    let reused = try ModelDriver { Reused() }
    for _ in 0..<50 {
      try reused.perform("show", true)
      try reused.perform("show", false)
    }
    try reused.perform("show", true)
    _ = reused.takeFrame()
    try reused.set("rows/items/k/title", "two")
    #expect(reused.takeFrame()["patch"] == [["op": "replace", "path": "/rows/items/k/title", "value": "two"]])
  }

  @Test(arguments: ["page/rows", "guest/rows", "rows"])
  func `the making of a row may change another row, or a value above it, for good`(path: String)
    throws
  {
    final class Page: ViewModel {
      let counter = Counter()
      let rows = KeyedList<Shelf.Book>()
      init() {
        let (rows, counter) = (rows, counter)
        rows.update(["a", "b"]) { key in
          if key == "b" { rows["a"]?.title.value += "!" }
          counter.made.value += 1
          return Shelf.Book(key)
        }
      }
      static let surface = Surface<Page>("page", .nested("counter", \.counter), .list("rows", \.rows))
    }
    final class Counter: ViewModel {
      let made = Observable(0)
      static let surface = Surface<Counter>("counter", .twoWay("made", \.made))
    }
    final class Book: ViewModel {
      let page = Page()
      let guest = Observable<Page?>(Page(), cutOff: .never)
      let counter = Counter()
      let rows = KeyedList<Page>()
      init() { rows.append(Page(), key: "p") }
      static let surface = Surface<Book>(
        "book", .nested("page", \.page), .nested("guest", \.guest), .list("rows", \.rows))
    }
    let model = try ModelDriver { Book() }
    let page = path == "rows" ? "rows/items/p" : path.replacing("/rows", with: "")
    #expect(model[page + "/counter/made"] == 2)
    #expect(model[page + "/rows/items/a/title"] == "a!")
    for (name, value) in [("counter/made", 7), ("rows/items/a/title", "new"), ("rows/items/b/title", "too")]
      as [(String, JSON)]
    {
      _ = model.takeFrame()
      try model.set("\(page)/\(name)", value)
      #expect(
        model.takeFrame()["patch"]
          == [["op": "replace", "path": .string("/\(page)/\(name)"), "value": value]], "\(name)")
    }
  }

  @Test func `a change by the making of a row is announced as soon as somebody listens`() throws {
    final class Twice: ViewModel {
      let rows = KeyedList<Shelf.Book>()
      init() {
        let rows = rows
        rows.update(["a", "b"]) { key in
          if key == "b" { rows["a"]?.title.value += "!" }
          return Shelf.Book(key)
        }
      }
      static let surface = Surface<Twice>("twice", .list("rows", \.rows))
    }
    actor Place {}
    let model = try hosted { Twice() }
    let (place, runs, told) = (Place(), RunCount(), Locked(0))
    model.live(in: place, runWatcher: runs) { told.withLock { $0 += 1 } }
    #expect(told.withLock { $0 } == 1)
    #expect(model.stamp(2))
  }
}
