// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// A view model with a value of each kind.
private final class Form: ViewModel {
  @Observed var name = ""
  @Observed var age = 0
  @Observed var share = 0.5
  @Observed var tags: [String] = []
  @Observed var nickname: String?
  @Observed var password = ""
  lazy var greeting = Computed(self) { "Hello \($0.name), \($0.hidden)" }
  /// Made from the name and the password; `write` sets it past them.
  let message = ObservableCombiner<String>(.every, "nothing yet")
  let first = ObservableCombiner<String>(.first, "-")
  let both = ObservableCombiner<String>(.all, "-")
  @Observed var told = 0
  @Observed var checks = 0
  @Observed private var hidden = 1
  private var count = 0

  /// The number of handler runs since the form was made.
  var turns = 0

  init() {
    message.combine($name, $password).handle { [unowned self] name, password in
      turns += 1
      return "\(name) with \(password.count) letters"
    }
    first.combine($name).handle { $0 }
    both.combine($name, $age).handle { "\($0) \($1)" }
    $name.addObserver(
      Observer(self) { form, _ in
        form.turns += 1
        form.told += 1
      })
  }

  func write(_ text: String) { message.value = text }
  func count3() {
    count += 3
    hidden += count
  }

  static let surface = Surface<Form>(
    "form",
    .twoWay("name", \.$name), .twoWay("age", \.$age), .twoWay("share", \.$share), .twoWay("tags", \.$tags),
    .twoWay("nickname", \.$nickname), .secret("password", \.$password), .value("greeting", \.greeting),
    .value("message", \.message), .value("first", \.first), .value("both", \.both), .value("told", \.$told),
    .value("checks", \.$checks).notStored(), .stored("hidden", \.$hidden), .stored("count", \.count),
    .action("write", Form.write), .action("count3", Form.count3))
}

@Suite struct `The stored state of values` {
  @Test func `has the sources by their names, and neither computeds nor secrets`() throws {
    let form = try hosted { Form() }
    for change: Change in [.set("name", "Maruko"), .set("password", "sakura"), .perform("count3")] {
      try form.apply(change)
    }
    #expect(
      form.storedText == """
        {"name":"Maruko","age":0,"share":0.5,"tags":[],"nickname":null,"password~":true,\
        "message":"Maruko with 6 letters","first":"Maruko","first~":true,"both":"-","both~":[true,false],"told":1,\
        "hidden":4,"count":3}
        """)
  }

  @Test func `comes back with its computeds, and goes on with each strategy where it was`() throws {
    let again = try Restoring.expectSame(
      [
        .set("name", "Maruko"), .set("share", 0.1), .set("tags", ["a", "é\"\\\n😀"]), .set("nickname", "Chibi"),
        .perform("write", "as it was"), .perform("count3"),
      ], then: [.perform("count3"), .set("age", 9), .set("name", "Tamae")]
    ) { Form() }
    #expect(try again.shown["greeting"] == "Hello Tamae, 10")
    #expect(try again.shown["both"] == "Tamae 9")
    #expect(try again.shown["first"] == "Maruko")
  }

  @Test func `comes back without an observer or a handler being told`() throws {
    nonisolated(unsafe) weak var form: Form?
    let again = try Restoring.restore(#"{"name":"Maruko","message":"as it was","told":7}"#) {
      let made = Form()
      form = made
      return made
    }
    #expect(form?.turns == 0)
    #expect(try again.shown["told"] == 7)
    #expect(try again.shown["message"] == "as it was")
    try again.set("name", "Tamae")
    #expect(form?.turns == 2)
    #expect(try again.shown["message"] == "Tamae with 0 letters")
  }

  @Test func `tells of a secret that was set, which is lost`() throws {
    let form = try hosted { Form() }
    try form.set("name", "Maruko")
    try form.set("password", "sakura")
    let again = try Restoring.restart(form) { Form() }
    #expect(try again.shown["password"] == "")
    #expect(try again.shown["message"] == "Maruko with 0 letters")
    try form.interrupt()
    #expect(try again.shown == form.shown)
  }

  @Test func `keeps the value of init for a missing one, and passes over unknown ones`() throws {
    let again = try Restoring.restore(#"{"age":9,"colour":"red","greeting":7,"checks":"many"}"#) { Form() }
    #expect(try again.shown["age"] == 9)
    #expect(try again.shown["message"] == "nothing yet")
    #expect(try again.shown["checks"] == 0)
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
      @Observed var one = 0.25
      @Observed var many: [Double] = [1]
      func divide() { (one, many) = (.infinity, [2, .nan]) }
      static let surface = Surface<Measured>(
        "measured", .value("one", \.$one), .value("many", \.$many), .action("divide", Measured.divide))
    }
    let model = try hosted { Measured() }
    try model.perform("divide")
    #expect(model.storedText == #"{"one":null,"many":[2,null]}"#)
    #expect(try Restoring.restart(model) { Measured() }.shown == ["one": 0.25, "many": [1]])
  }
}

@Suite struct `A stored state of another schema` {
  /// A view model with a past: in its first shape it had `user`, in its second `user` and `years` as a text.
  private final class Account: ViewModel {
    @Observed var name = ""
    @Observed var age = 0
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
      .value("name", \.$name), .value("age", \.$age))
  }

  private struct Broken: Error, CustomStringConvertible { var description: String { "no number of years" } }

  private final class Bank: ViewModel {
    let account = Account()
    static let surface = Surface<Bank>("bank", .nested("account", \.account))
  }

  @Test(
    arguments: [
      (1, #"{"user":"Maruko"}"#, 0), (2, #"{"user":"Maruko","years":"9"}"#, 9), (3, #"{"name":"Maruko","age":9}"#, 9),
    ] as [(UInt32, String, JSON)]) func `is taken through every change since`(schema: UInt32, text: String, age: JSON)
    throws
  {
    #expect(HostedModelType.hosting { Account() }.schema == 3)
    let account = try Restoring.restore(text, schema: schema) { Account() }
    #expect(try account.shown == ["name": "Maruko", "age": age])
  }

  @Test func `is refused if a later program wrote it`() {
    #expect(throws: StoredStateError.newer(found: 4, known: 3)) { try Restoring.restore("{}", schema: 4) { Account() } }
    #expect(throws: StoredStateError.newer(found: 9, known: 3)) {
      try Restoring.restore(#"{"account":{"~schema":9}}"#) { Bank() }
    }
  }

  @Test func `says which change failed, and where`() {
    let words = "the stored state at '': the migration of 'account' from 2 to 3 failed: no number of years"
    #expect(throws: StoredStateError.unreadable(words)) {
      try Restoring.restore(#"{"user":"Maruko","years":"many"}"#, schema: 2) { Account() }
    }
    #expect(throws: StoredStateError.self) { try Restoring.restore("{}", schema: 0) { Account() } }
    #expect(throws: StoredStateError.self) { try Restoring.restore(#"{"account":{"~schema":"x"}}"#) { Bank() } }
  }

  @Test func `is known of each view model within another`() throws {
    #expect(HostedModelType.hosting { Bank() }.schema == 1)
    #expect(try hosted { Bank() }.storedText == #"{"account":{"~schema":3,"name":"","age":0}}"#)
    for (text, age) in [(#"{"~schema":2,"user":"Maruko","years":"9"}"#, 9), (#"{"user":"Maruko"}"#, 0 as JSON)] {
      let bank = try Restoring.restore(#"{"account":\#(text)}"#) { Bank() }
      #expect(try bank.shown == ["account": ["name": "Maruko", "age": age]])
    }
  }
}
