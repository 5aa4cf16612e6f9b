// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Recording
import Testing
import ViewModels

@Suite struct `A surface` {
  final class Form: ViewModel {
    let name = Observable("")
    let age = Observable<Int?>(nil)
    let tags = Observable<[String]>([])
    let secret = Observable("")
    let hidden = Observable("never shown")
    let isOpen = Observable(true)
    let rename = Observer<String>()
    let clear = Observer<Void>()
    let toggle = Observer<Void>()

    init() {
      rename.handle(self) { $0.name.value = $1 }
      clear.handle(self) { form, _ in
        form.name.value = ""
        form.secret.value = ""
      }
      toggle.handle(self) { form, _ in form.isOpen.value.toggle() }
    }

    static let surface = Surface<Form>(
      "form",
      .value("name", \.name),
      .twoWay("age", \.age, when: \.isOpen),
      .twoWay("tags", \.tags),
      .secret("secret", \.secret),
      .action("rename", \.rename),
      .action("clear", \.clear, when: \.isOpen),
      .action("toggle", \.toggle))
  }

  private let form: ModelDriver

  init() throws { form = try ModelDriver { Form() } }

  @Test func `shows its values in the order of their declaration, and nothing else`() throws {
    try form.set("age", 7)
    try form.set("tags", ["a", "b"])
    #expect(form.state == ["name": "", "age": 7, "tags": ["a", "b"], "secret": ""])
    #expect(
      refusal { try form.set("hidden", "x") }
        == "no value 'hidden' on form; expected one of: name, age, tags, secret")
  }

  @Test func `performs an action by its name, with a value of its type`() throws {
    try form.perform("rename", "maruko")
    #expect(form["name"] == "maruko")
    #expect(refusal { try form.perform("rename", 1) } == "expected string, got integer")
    #expect(refusal { try form.perform("rename") } == "expected string, got no value")
    #expect(refusal { try form.perform("clear", "x") } == "expected no value, got string")
    #expect(
      refusal { try form.perform("nope") }
        == "no action 'nope' on form; expected one of: clear, rename, toggle")
    #expect(form["name"] == "maruko")
    try form.perform("clear", .null)
    #expect(form["name"] == "")
  }

  @Test func `refuses an entry whose condition is false, and a write of a read-only one`() throws {
    try form.perform("rename", "maruko")
    try form.perform("toggle")
    #expect(refusal { try form.perform("clear") } == "'clear' is disabled now by the view model")
    #expect(refusal { try form.set("age", 1) } == "'age' is disabled now by the view model")
    #expect(refusal { try form.set("name", "x") } == "'name' is read-only: the view sees it and cannot write it")
    #expect(form["name"] == "maruko")
    try form.perform("toggle")
    try form.perform("clear")
    #expect(form["name"] == "")
  }

  @Test func `a secret is absent while it is set and empty while it is empty`() throws {
    _ = form.takeChanges()
    try form.set("secret", .string(Canary.value))
    #expect(form.takeChanges() == ["secret"])
    #expect(form["secret"] == nil)
    try form.set("secret", "hunter3")
    #expect(form.takeChanges() == [])
    try form.perform("clear")
    #expect(form.takeChanges() == ["secret"])
    #expect(form["secret"] == "")
  }

  @Test func `reports each value that changed, once, and none that came back`() throws {
    try form.perform("rename", "a")
    try form.perform("rename", "b")
    try form.set("tags", ["x"])
    #expect(form.takeChanges() == ["name", "tags"])
    #expect(form.takeChanges() == [])
  }

  @Test func `a view model goes with its driver, though its closures capture it`() throws {
    final class Leaky: ViewModel {
      let count = Observable(0)
      let more = Observer<Void>()
      nonisolated(unsafe) static weak var last: Leaky?
      init() {
        more.handle { self.count.value += 1 }
        Leaky.last = self
      }
      static let surface = Surface<Leaky>("leaky", .value("count", \.count), .action("more", \.more))
    }
    do {
      let leaky = try ModelDriver { Leaky() }
      try leaky.perform("more")
      #expect(leaky["count"] == 1)
      #expect(Leaky.last != nil)
    }
    #expect(Leaky.last == nil)
  }
}

private final class Bell: ViewModel {
  let rang = Event<String>()
  @Observed var rings = 0

  func ring(_ words: String) throws {
    rings += 1
    try rang.send(words)
  }

  func ringTwice() throws {
    try ring("first")
    try ring("second")
  }

  func fail() throws {
    try ring("never")
    throw Broken()
  }

  struct Broken: Error {}

  static let surface = Surface<Bell>(
    "bell", .pulse("rang", \.rang), .value("rings", \.$rings), .action("ring", Bell.ring),
    .action("ringTwice", Bell.ringTwice), .action("fail", Bell.fail))
}

@Suite(.timeLimit(.minutes(30))) struct `A pulse on a surface` {
  @Test func `is counted, with the value of the last`() throws {
    let bell = try ModelDriver { Bell() }
    #expect(bell["rang"] == ["count": 0, "value": .null])
    try bell.perform("ring", "hello")
    #expect(bell["rang"] == ["count": 1, "value": "hello"])
    try bell.perform("ring", "hello")
    try bell.perform("ringTwice")
    #expect(bell["rang"] == ["count": 4, "value": "second"])
  }

  @Test func `is none in a transaction that is undone, and nobody writes it`() throws {
    let bell = try ModelDriver { Bell() }
    #expect(throws: (any Error).self) { try bell.perform("fail") }
    #expect(bell["rang/count"] == 0)
    #expect(throws: SurfaceError.self) { try bell.set("rang", ["count": 7, "value": .null]) }
  }

  @Test func `is the same after a restart`() async throws {
    try await expectRestorable { Bell() }
  }
}

@Suite struct `A trace of a view model` {
  /// A view model that traces its own graph.
  private final class Page: ViewModel {
    @Observed var word = ""
    @Observed var names: [String] = []
    lazy var length = Computed(self) { $0.word.count }
    private var trace: Trace?

    func begin() { trace = Graph.entered?.startTracing() }
    func write(_ text: String) { word = text }
    func collect() { names = trace?.records.map(\.origin.name) ?? [] }

    static let surface = Surface<Page>(
      "page", .value("title", \.$word), .value("size", \.length), .value("names", \.$names),
      .action("begin", Page.begin), .action("write", Page.write), .action("collect", Page.collect))
  }

  @Test func `calls nodes by their names on the surface`() throws {
    let page = try ModelDriver { Page() }
    try page.perform("begin")
    try page.perform("write", "some")
    try page.perform("collect")
    guard case .array(let names)? = page["names"] else {
      Issue.record("expected names, got \(String(describing: page["names"]))")
      return
    }
    #expect(names.contains("title") && names.contains("size"), "\(names)")
  }
}
