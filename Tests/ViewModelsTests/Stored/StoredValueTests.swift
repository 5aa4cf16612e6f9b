// SPDX-License-Identifier: MIT
import JSONPatching
import Testing
import ViewModels

@testable import ObservableCore

/// A view model with a value of each kind.
private final class Form: ViewModel {
  let name = Observable("")
  let age = Observable(0)
  let share = Observable(0.5)
  let tags = Observable<[String]>([])
  let nickname = Observable<String?>(nil)
  let password = Observable("")
  let greeting: Computed<String>
  /// Made from the name and the password; `write` sets it past them.
  let message = ObservableCombiner<String>(.every, "nothing yet")
  let first = ObservableCombiner<String>(.first, "-")
  let both = ObservableCombiner<String>(.all, "-")
  let told = Observable(0)
  let checks = Observable(0)
  private let hidden = Observable(1)
  private var count = 0
  let rename = Observer<String>()
  let count3 = Observer<Void>()
  let write = Observer<String>()

  /// The number of handler runs since the form was made.
  var turns = 0

  init() {
    let (name, hidden) = (name, hidden)
    greeting = Computed { "Hello \(name.value), \(hidden.value)" }
    message.combine(name, password).handle { [unowned self] name, password in
      turns += 1
      return "\(name) with \(password.count) letters"
    }
    first.combine(name).handle { $0 }
    both.combine(name, age).handle { "\($0) \($1)" }
    name.addObserver(
      Observer(self) { form, _ in
        form.turns += 1
        form.told.value += 1
      })
    rename.handle(self) { $0.name.value = $1 }
    write.handle(self) { $0.message.value = $1 }
    count3.handle(self) { form, _ in
      form.count += 3
      form.hidden.value += form.count
    }
  }

  static let surface = Surface<Form>(
    "form",
    .twoWay("name", \.name), .twoWay("age", \.age), .twoWay("share", \.share), .twoWay("tags", \.tags),
    .twoWay("nickname", \.nickname), .secret("password", \.password), .value("greeting", \.greeting),
    .value("message", \.message), .value("first", \.first), .value("both", \.both), .value("told", \.told),
    .value("checks", \.checks).notStored(), .stored("hidden", \.hidden), .stored("count", \.count),
    .action("rename", \.rename), .action("write", \.write), .action("count3", \.count3))
}

@Suite struct `The stored state of values` {
  private func form() throws -> any HostedModel { try HostedModelType.hosting { Form() }.make(for: "a session") }

  @Test func `has the sources by their names, and neither computeds nor secrets`() throws {
    let form = try form()
    try form.set(["name"], "Maruko")
    try form.set(["password"], "sakura")
    try form.perform(["count3"], nil)
    #expect(
      Restoring.stored(form) == """
        {"name":"Maruko","age":0,"share":0.5,"tags":[],"nickname":null,"password~":true,\
        "message":"Maruko with 6 letters","first":"Maruko","first~":true,"both":"-","both~":[true,false],"told":1,\
        "hidden":4,"count":3}
        """)
  }

  @Test func `comes back with what is computed from it`() throws {
    let form = try form()
    try form.set(["name"], "Maruko")
    try form.set(["age"], 9)
    try form.set(["share"], 0.1)
    try form.set(["tags"], ["a", "é\"\\\n😀"])
    try form.set(["nickname"], "Chibi")
    try form.perform(["write"], "as it was")
    try form.perform(["count3"], nil)
    let again = try Restoring.restart(form) { Form() }
    #expect(try Restoring.state(again) == Restoring.state(form))
    #expect(Restoring.stored(again) == Restoring.stored(form))
    for each in [form, again] {
      try each.perform(["count3"], nil)
      try each.perform(["rename"], "Tamae")
    }
    #expect(try Restoring.state(again) == Restoring.state(form))
    #expect(try Restoring.state(again)["greeting"] == "Hello Tamae, 10")
  }

  @Test func `comes back without anybody being told`() throws {
    let turns = Turns()
    let text = #"{"name":"Maruko","message":"as it was","told":7}"#
    let again = try Restoring.restore(text) {
      let form = Form()
      turns.form = form
      return form
    }
    #expect(turns.form?.turns == 0)
    #expect(try Restoring.state(again)["told"] == 7)
    #expect(try Restoring.state(again)["message"] == "as it was")
    try again.set(["name"], "Tamae")
    #expect(turns.form?.turns == 2)
    #expect(try Restoring.state(again)["message"] == "Tamae with 0 letters")
  }

  /// @unchecked Sendable: the test looks at the view model on its own thread, while no other code does.
  private final class Turns: @unchecked Sendable { weak var form: Form? }

  @Test func `goes on with a strategy where it was`() throws {
    let form = try form()
    try form.set(["name"], "Maruko")
    let again = try Restoring.restart(form) { Form() }
    try again.set(["age"], 9)
    #expect(try Restoring.state(again)["both"] == "Maruko 9")
    try again.set(["name"], "Tamae")
    #expect(try Restoring.state(again)["first"] == "Maruko")
  }

  @Test func `tells of a secret that was set, which is lost`() throws {
    let form = try form()
    try form.set(["name"], "Maruko")
    try form.set(["password"], "sakura")
    let again = try Restoring.restart(form) { Form() }
    #expect(try Restoring.state(again)["password"] == "")
    #expect(try Restoring.state(again)["message"] == "Maruko with 0 letters")
    try form.interrupt()
    #expect(try Restoring.state(again) == Restoring.state(form))
  }

  @Test func `keeps what init gave for what is missing, and passes over what there is no more`() throws {
    let again = try Restoring.restore(#"{"age":9,"colour":"red","greeting":7,"checks":"many"}"#) { Form() }
    #expect(try Restoring.state(again)["age"] == 9)
    #expect(try Restoring.state(again)["message"] == "nothing yet")
    #expect(try Restoring.state(again)["checks"] == 0)
  }

  @Test(arguments: [
    (#"{"age":"nine"}"#, "the stored state at '/age': expected integer, got string"),
    (#"{"tags":["a",1]}"#, "the stored state at '/tags/1': expected string, got integer"),
    (#"{"hidden":[]}"#, "the stored state at '/hidden': expected integer, got array"),
    (#"{"count":null}"#, "the stored state at '/count': expected integer, got null"),
    (#"{"both~":7}"#, "the stored state at '': expected array of boolean, got integer"),
    ("[]", "the stored state at '': expected an object for 'form', got an array"),
  ]) func `is refused where a value is of another type, by its place`(text: String, words: String) {
    #expect(throws: StoredStateError.unreadable(words)) { try Restoring.restore(text) { Form() } }
  }

  @Test func `has null for a number that is not finite, which comes back as init gave it`() throws {
    final class Measured: ViewModel {
      let one = Observable(0.25)
      let many = Observable<[Double]>([1])
      let divide = Observer<Void>()
      init() {
        divide.handle(self) { model, _ in
          model.one.value = .infinity
          model.many.value = [2, .nan]
        }
      }
      static let surface = Surface<Measured>(
        "measured", .value("one", \.one), .value("many", \.many), .action("divide", \.divide))
    }
    let model = try HostedModelType.hosting { Measured() }.make(for: "a session")
    try model.perform(["divide"], nil)
    #expect(Restoring.stored(model) == #"{"one":null,"many":[2,null]}"#)
    let again = try Restoring.restart(model) { Measured() }
    #expect(try Restoring.state(again) == ["one": 0.25, "many": [1]])
  }

  @Test(arguments: [0.1, -0.0, 1e300, .leastNonzeroMagnitude, 1 / 3, 0x1p53 + 2, -2.5, 1e21] as [Double])
  func `has every finite number to the last bit`(number: Double) throws {
    let form = try form()
    try form.set(["share"], .number(number))
    let again = try Restoring.restart(form) { Form() }
    #expect(Restoring.stored(again) == Restoring.stored(form))
    guard case .number(let back)? = try Restoring.read(Restoring.stored(again))["share"] else { return }
    #expect(back.bitPattern == number.bitPattern)
  }

  @Test func `is what it was after any number of restarts`() throws {
    var model = try form()
    try model.set(["name"], "Maruko")
    try model.perform(["count3"], nil)
    let (text, state) = (Restoring.stored(model), try Restoring.state(model))
    for _ in 0..<5 { model = try Restoring.restart(model) { Form() } }
    #expect(Restoring.stored(model) == text)
    #expect(try Restoring.state(model) == state)
  }
}

@Suite struct `A stored state of another schema` {
  /// A view model with a past: in its first shape it had `user`, in its second `user` and `years` as a text.
  private final class Account: ViewModel {
    let name = Observable("")
    let age = Observable(0)
    static let surface = Surface<Account>(
      "account",
      migrations: [
        { state in state["years"] = "0" },
        { state in
          state["name"] = state["user"]
          state["user"] = nil
          guard let years = Int(try String(json: state["years"] ?? .null)) else { throw Broken() }
          state["age"] = .integer(Int64(years))
        },
      ],
      .value("name", \.name), .value("age", \.age))
  }

  private struct Broken: Error, CustomStringConvertible { var description: String { "no number of years" } }

  private final class Bank: ViewModel {
    let account = Account()
    static let surface = Surface<Bank>("bank", .nested("account", \.account))
  }

  @Test func `is taken through every change since`() throws {
    #expect(HostedModelType.hosting { Account() }.schema == 3)
    let first = try Restoring.restore(#"{"user":"Maruko"}"#, schema: 1) { Account() }
    #expect(try Restoring.state(first) == ["name": "Maruko", "age": 0])
    let second = try Restoring.restore(#"{"user":"Maruko","years":"9"}"#, schema: 2) { Account() }
    #expect(try Restoring.state(second) == ["name": "Maruko", "age": 9])
    let third = try Restoring.restore(#"{"name":"Maruko","age":9}"#, schema: 3) { Account() }
    #expect(try Restoring.state(third) == ["name": "Maruko", "age": 9])
  }

  @Test func `is refused if a later program wrote it`() {
    #expect(throws: StoredStateError.newer(found: 4, known: 3)) {
      try Restoring.restore("{}", schema: 4) { Account() }
    }
    #expect(throws: StoredStateError.newer(found: 9, known: 3)) {
      try Restoring.restore(#"{"account":{"~schema":9}}"#) { Bank() }
    }
  }

  @Test func `says which change failed, and where`() {
    #expect(
      throws: StoredStateError.unreadable(
        "the stored state at '': the migration of 'account' from 2 to 3 failed: no number of years")
    ) {
      try Restoring.restore(#"{"user":"Maruko","years":"many"}"#, schema: 2) { Account() }
    }
    #expect(throws: StoredStateError.self) { try Restoring.restore("{}", schema: 0) { Account() } }
    #expect(throws: StoredStateError.self) { try Restoring.restore(#"{"account":{"~schema":"x"}}"#) { Bank() } }
  }

  @Test func `is known of each view model within another`() throws {
    let bank = try HostedModelType.hosting { Bank() }.make(for: "a session")
    #expect(HostedModelType.hosting { Bank() }.schema == 1)
    #expect(Restoring.stored(bank) == #"{"account":{"~schema":3,"name":"","age":0}}"#)
    let again = try Restoring.restore(#"{"account":{"~schema":2,"user":"Maruko","years":"9"}}"#) { Bank() }
    #expect(try Restoring.state(again) == ["account": ["name": "Maruko", "age": 9]])
    let old = try Restoring.restore(#"{"account":{"user":"Maruko"}}"#) { Bank() }
    #expect(try Restoring.state(old) == ["account": ["name": "Maruko", "age": 0]])
  }
}
