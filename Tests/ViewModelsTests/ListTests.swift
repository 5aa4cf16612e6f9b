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
  let titles: Computed<String>
  let add = Observer<String>()
  let remove = Observer<String>()
  let reverse = Observer<Void>()
  let fail = Observer<Void>()

  init() {
    let books = books
    titles = Computed { books.rows.map(\.title.value).joined(separator: ",") }
    add.handle(self) { shelf, key in shelf.books.put(Book("Title \(key)"), key: key) }
    remove.handle(self) { shelf, key in shelf.books.remove(key) }
    reverse.handle(self) { shelf, _ in shelf.books.update(shelf.books.keys.reversed()) { Book($0) } }
    fail.handle(self) { shelf, _ in
      shelf.books.append(Book("half done"), key: "x")
      shelf.books.remove("a")
      throw Failure()
    }
  }

  static let surface = Surface<Shelf>(
    "shelf", .list("books", \.books), .value("titles", \.titles), .action("add", \.add), .action("remove", \.remove),
    .action("reverse", \.reverse), .action("fail", \.fail))
}

@Suite struct `A keyed list` {
  static let command: JSON = ["enabled": true, "executing": false, "progress": .null, "result": .null, "error": .null]

  @Test func `is an order of keys and an item for each`() throws {
    let shelf = try ModelDriver { Shelf() }
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

  @Test func `S1-9 a row has its own values, actions and commands, and what is done to one changes that one alone`()
    throws
  {
    let shelf = try ModelDriver { Shelf() }
    for key in ["a", "b", "c"] { try shelf.perform("add", .string(key)) }
    _ = shelf.takeChanges()
    #expect(try shelf.perform("books/items/b/buy") == "bought Title b")
    #expect(shelf.takeChanges() == ["books/items/b/buy/result"])
    try shelf.set("books/items/c/title", "C")
    #expect(shelf.takeChanges() == ["books/items/c/title", "titles"])
  }

  @Test func `a change of one row among many is sent as that alone`() throws {
    let shelf = try ModelDriver { Shelf() }
    for key in 0..<200 { try shelf.perform("add", .string("\(key)")) }
    _ = shelf.takeFrame()
    try shelf.perform("books/items/77/buy")
    #expect(
      shelf.takeFrame()["patch"] == [
        ["op": "replace", "path": "/books/items/77/buy/result", "value": "bought Title 77"]
      ])
  }

  @Test func `refuses a row that there is not, and a path that goes nowhere`() throws {
    let shelf = try ModelDriver { Shelf() }
    try shelf.perform("add", "a")
    try shelf.perform("remove", "a")
    #expect(
      `A surface`.error { try shelf.perform("books/items/a/shout") }
        == "no row 'books/items/a/shout': it never was, or it was removed")
    #expect(
      `A surface`.error { try shelf.perform("books/a/shout") }
        == "no value 'books/a/shout' on a list; expected one of: items/KEY/…")
    #expect(
      `A surface`.error { try shelf.set("books/order", ["a"]) }
        == "'books/order' is read-only: the view sees it and cannot write it")
    #expect(
      `A surface`.error { try shelf.perform("nope") }
        == "no action 'nope' on shelf; expected one of: add, books/…, fail, remove, reverse")
  }

  @Test func `goes back to what it was when the transaction is undone, its keys included`() throws {
    let shelf = try ModelDriver { Shelf() }
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
      let found: Computed<String>
      let replace = Observer<Void>()
      init() {
        let rows = rows
        found = Computed { rows["k"]?.title.value ?? "none" }
        rows.append(Shelf.Book("old"), key: "k")
        replace.handle(self) { me, _ in
          me.rows.put(Shelf.Book("new"), key: "k")
          #expect(me.found.value == "new")
          throw Failure()
        }
      }
      static let surface = Surface<Finder>("finder", .value("found", \.found), .action("replace", \.replace))
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
      let show = Observer<Bool>()
      init() {
        show.handle(self) { me, isShown in
          if isShown { me.rows.append(me.row, key: "k") } else { me.rows.remove("k") }
        }
      }
      static let surface = Surface<Reused>("reused", .list("rows", \.rows), .action("show", \.show))
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

  @Test func `a row under the key of another takes its place`() throws {
    let shelf = try ModelDriver { Shelf() }
    for key in ["a", "b", "c"] { try shelf.perform("add", .string(key)) }
    try shelf.perform("books/items/a/shout")
    _ = shelf.takeFrame()
    try shelf.perform("add", "a")
    #expect(shelf["books/order"] == ["b", "c", "a"])
    #expect(shelf["books/items/a/title"] == "Title a")
  }

  @Test(arguments: ["page/rows", "guest/rows", "rows"])
  func `a row whose making changes another row, or what is shown above it, has changed that for good`(path: String)
    throws
  {
    final class Page: ViewModel {
      let made = Observable(0)
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

  @Test func `what making a row changed is announced as soon as somebody listens`() throws {
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
    let model = try HostedModelType.hosting { Twice() }.make(for: "a session")
    let (place, runs, told) = (Place(), RunCount(), Locked(0))
    model.live(in: place, runWatcher: runs) { told.withLock { $0 += 1 } }
    #expect(told.withLock { $0 } == 1)
    #expect(model.stamp(2))
  }
}
