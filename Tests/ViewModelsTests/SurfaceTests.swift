// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Recording
import Testing
import ViewModels

@Suite struct `A surface` {
  final class Form: ViewModel {
    struct Failure: Error {}
    let name = Observable("")
    let age = Observable<Int?>(nil)
    let tags = Observable<[String]>([])
    let secret = Observable("")
    let hidden = Observable("never shown")
    let isOpen = Observable(true)
    let rename = Observer<String>()
    let clear = Observer<Void>()
    let fail = Observer<Void>()
    let toggle = Observer<Void>()

    init() {
      rename.handle(self) { $0.name.value = $1 }
      clear.handle(self) { form, _ in
        form.name.value = ""
        form.secret.value = ""
      }
      fail.handle(self) { form, _ in
        form.name.value = "half done"
        throw Failure()
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
      .action("fail", \.fail),
      .action("toggle", \.toggle))
  }

  static func error(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch { return "\(error)" }
  }

  @Test func `shows its values in the order of their declaration, and nothing else`() throws {
    let form = try ModelDriver { Form() }
    try form.set("age", 7)
    try form.set("tags", ["a", "b"])
    #expect(form.state == ["name": "", "age": 7, "tags": ["a", "b"], "secret": ""])
    #expect(
      Self.error { try form.set("hidden", "x") }
        == "no value 'hidden' on form; expected one of: name, age, tags, secret")
  }

  @Test func `performs an action by its name, with a value of its type`() throws {
    let form = try ModelDriver { Form() }
    try form.perform("rename", "maruko")
    #expect(form["name"] == "maruko")
    #expect(Self.error { try form.perform("rename", 1) } == "expected string, got integer")
    #expect(Self.error { try form.perform("rename") } == "expected string, got no value")
    #expect(Self.error { try form.perform("clear", "x") } == "expected no value, got string")
    #expect(
      Self.error { try form.perform("nope") }
        == "no action 'nope' on form; expected one of: clear, fail, rename, toggle")
    #expect(form["name"] == "maruko")
    try form.perform("clear", .null)
    #expect(form["name"] == "")
  }

  @Test func `refuses what its condition forbids, and what is read-only`() throws {
    let form = try ModelDriver { Form() }
    try form.perform("rename", "maruko")
    try form.perform("toggle")
    #expect(Self.error { try form.perform("clear") } == "'clear' is disabled now by the view model")
    #expect(Self.error { try form.set("age", 1) } == "'age' is disabled now by the view model")
    #expect(Self.error { try form.set("name", "x") } == "'name' is read-only: the view sees it and cannot write it")
    #expect(form["name"] == "maruko")
    try form.perform("toggle")
    try form.perform("clear")
    #expect(form["name"] == "")
  }

  @Test func `a secret is absent while it is set and empty while it is empty`() throws {
    let form = try ModelDriver { Form() }
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

  @Test func `an action that throws has changed nothing`() throws {
    let form = try ModelDriver { Form() }
    #expect(throws: ViewModelFailure.self) { try form.perform("fail") }
    #expect(form["name"] == "")
    #expect(form.takeChanges() == [])
  }

  @Test func `reports each value that changed, once, and none that came back`() throws {
    let form = try ModelDriver { Form() }
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

  @Test func `a driver that is used keeps its session, as a client does`() throws {
    let shelf = try ModelDriver { Shelf() }
    shelf.advance(by: .seconds(20 * 60))
    try shelf.perform("add", "a")
    shelf.advance(by: .seconds(20 * 60))
    try shelf.perform("add", "b")
    #expect(shelf["books/order"] == ["a", "b"])
  }
}
