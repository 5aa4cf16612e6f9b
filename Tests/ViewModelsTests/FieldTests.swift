// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@Suite struct `A field of a form` {
  final class Registration: ViewModel {
    lazy var email = Field(self, "")
    lazy var age = Field<Int?>(self, nil)
    lazy var agrees = Field(self, false)
    lazy var password = Field(self, "")
    lazy var repeated = Field(self, "")
    @Observed var sent = 0

    lazy var canSend = Computed(self) { $0.fieldsAreValid }

    func send() {
      guard checkFields() else { return }
      if email.value == "anna@example.org" { return email.refuse("There is an account with this address") }
      sent += 1
    }

    func clear() { for field in [email, password, repeated] { field.reset() } }
    func suggest() { email.value = "bert@example.org" }

    static let surface = Surface<Registration>(
      "registration",
      .field("email", \.email, .required, .length(...20), .matches(".+@.+", "An address has an @")),
      .field("age", \.age, .range(18...120)),
      .field("agrees", \.agrees, .required("Please agree")),
      .secretField("password", \.password, .required, .length(5..., "5 or more")),
      .secretField("repeated", \.repeated, .rule("The two differ") { $1 == $0.password.value }),
      .value("sent", \.$sent),
      .value("canSend", \.canSend),
      .action("send", Registration.send),
      .action("sendIfValid", Registration.send, when: \.fieldsAreValid),
      .action("clear", Registration.clear),
      .action("suggest", Registration.suggest))
  }

  let page: ModelDriver

  init() throws { page = try ModelDriver { Registration() } }

  func set(_ values: [(String, JSON)]) throws {
    for (name, value) in values { try page.set("\(name)/value", value) }
  }

  @Test func `does not keep a refusal that another field may have ended`() throws {
    let table = try ModelDriver { Table() }
    try table.perform("book")
    #expect(table["hour/error"] == "The court is taken at that hour")
    // The court is what has to change, and the hour is as it should be.
    try table.set("court/value", 2)
    #expect(table["hour/error"] == "The court is taken at that hour")
    try table.perform("book")
    #expect(table["booked"] == 2 && table["hour/error"] == .null)
  }

  private final class Table: ViewModel {
    lazy var court = Field(self, 1)
    lazy var hour = Field(self, 9)
    @Observed var booked = 0

    func book() {
      guard checkFields() else { return }
      if court.value == 1 { return hour.refuse("The court is taken at that hour") }
      booked = court.value
    }

    static let surface = Surface<Table>(
      "table", .field("court", \.court), .field("hour", \.hour), .value("booked", \.$booked),
      .action("book", Table.book, when: \.fieldsAreValid))
  }

  func fill() throws {
    try set([
      ("email", "maruko@example.org"), ("agrees", true), ("password", "12345"), ("repeated", "12345"),
    ])
  }

  @Test func `is an object of its value, its error, whether it was touched, and its bounds`() {
    #expect(
      page["email"] == [
        "value": "", "error": .null, "touched": false,
        "bounds": ["required": true, "maxlength": 20, "pattern": ".+@.+"],
      ])
    #expect(page["age/bounds"] == ["min": 18, "max": 120])
    #expect(page["password/bounds"] == ["required": true, "minlength": 5])
    #expect(page["repeated/bounds"] == [:])
    #expect(page["age/bounds/min"] == 18)
  }

  @Test func `takes a value that breaks a rule, and says so`() throws {
    let steps: [(String, JSON)] = [
      ("maruko", "An address has an @"), ("maruko@example.org", .null),
      ("maruko@a.long.example", "At most 20 characters"),
      ("", "This is needed"),
    ]
    for (text, error) in steps {
      try set([("email", .string(text))])
      #expect(page["email/error"] == error)
    }
  }

  @Test func `shows no error before it is touched`() throws {
    #expect(page["canSend"] == false)
    #expect(page["agrees/error"] == .null)
    try set([("agrees", true), ("agrees", false)])
    #expect(page["agrees"] == ["value": false, "error": "Please agree", "touched": true, "bounds": ["required": true]])
    #expect(page["email/touched"] == false)
  }

  @Test func `is asked anew when another value changes that its rule reads`() throws {
    try set([("password", "12345"), ("repeated", "1234")])
    #expect(page["repeated/error"] == "The two differ")
    try set([("password", "1234")])
    #expect(page["repeated/error"] == .null)
    #expect(page["password/error"] == "5 or more")
  }

  @Test func `breaks no rule while it is missing, but that it has to be there`() throws {
    try set([("age", 17)])
    #expect(page["age/error"] == "From 18 to 120")
    try set([("age", .null)])
    #expect(page["age/error"] == .null)
    try set([("age", 120)])
    #expect(page["age/error"] == .null)
  }

  @Test func `is touched with all others where the form is submitted`() throws {
    try page.perform("send")
    #expect(page["email/error"] == "This is needed")
    #expect(page["agrees/error"] == "Please agree")
    #expect(page["sent"] == 0)
    try fill()
    #expect(page["canSend"] == true)
    try page.perform("send")
    #expect(page["sent"] == 1)
  }

  @Test func `holds an action closed until all are valid`() throws {
    #expect(throws: SurfaceError.self) { try page.perform("sendIfValid") }
    #expect(page["email/touched"] == false)
    try fill()
    try page.perform("sendIfValid")
    #expect(page["sent"] == 1)
  }

  @Test func `is refused by a message of the action's until it is written again`() throws {
    try fill()
    try set([("email", "anna@example.org")])
    try page.perform("send")
    #expect(page["email/error"] == "There is an account with this address")
    // The action decides anew.
    #expect(page["canSend"] == true)
    try set([("email", "anna@example.com")])
    #expect(page["email/error"] == .null)
    try set([("email", "anna@example.org")])
    #expect(page["email/error"] == .null)
    try page.perform("send")
    try page.perform("suggest")
    #expect(page["email"]?["error"] == .null)
    #expect(page["email/value"] == "bert@example.org")
  }

  @Test func `goes back to its first value`() throws {
    try fill()
    try page.perform("clear")
    #expect(page["email/value"] == "")
    #expect(page["email/touched"] == false)
    #expect(page["email/error"] == .null)
    #expect(page["password/value"] == "")
  }

  @Test func `has no value in the state while it is a secret that is set`() throws {
    #expect(page["password/value"] == "")
    try set([("password", "hunter2")])
    #expect(page["password"] == ["error": .null, "touched": true, "bounds": ["required": true, "minlength": 5]])
    #expect(!"\(page.state)".contains("hunter2"))
  }

  @Test func `is written by its value alone`() throws {
    let readOnly = "is read-only: the view sees it and cannot write it"
    #expect(
      refusal { try page.set("email", "a") }
        == "'email' is a field of a form; expected 'email/value', which is written")
    for path in ["email/error", "email/touched", "email/bounds", "email/bounds/required"] {
      #expect(refusal { try page.set(path, true) } == "'\(path)' \(readOnly)")
    }
    #expect(refusal { try page.set("email/value", 7) } == "expected string, got integer")
    #expect(refusal { try page.set("age/value", "") } == "expected integer or null, got string")
  }

  @Test func `changes by the members that are other ones`() throws {
    try set([("age", 20)])
    #expect(page.takeChanges() == ["age/value", "age/touched"])
    let before = page.state
    try set([("age", 20)])
    #expect(page.state == before)
  }

  @Test(.timeLimit(.minutes(30))) func `is the same after a restart, the refusal included`() async throws {
    try await expectRestorable(texts: ["anna@example.org", "a@b", "12345"]) { Registration() }
  }

  @Test func `is asked outside of a session too`() {
    let graph = Graph()
    let page = graph.enter { Registration() }
    graph.enter {
      #expect(!page.email.isValid)
      page.email.value = "a@b"
      #expect(page.email.isValid)
      #expect(!page.fieldsAreValid)
    }
  }

  @Test func `counts a person's characters for the least length, and a browser's units for the most`() throws {
    final class Named: ViewModel {
      lazy var name = Field(self, "")
      static let surface = Surface<Named>("named", .field("name", \.name, .length(2...8)))
    }
    let page = try ModelDriver { Named() }
    for (text, isValid) in [("👨‍👩‍👧", false), ("नमस्ते", true), ("abcdefgh", true), ("abcdefghi", false), ("👍👍👍👍👍", false)] {
      try page.set("name/value", .string(text))
      #expect(page["name/error"] == (isValid ? .null : "2 to 8 characters"), "\(text)")
    }
  }

  @Test func `takes "no" where an answer is needed, and no empty text`() throws {
    final class Asked: ViewModel {
      lazy var isMember = Field<Bool?>(self, nil)
      lazy var name = Field<String?>(self, nil)
      static let surface = Surface<Asked>(
        "asked", .field("isMember", \.isMember, .required), .field("name", \.name, .required))
    }
    let page = try ModelDriver { Asked() }
    for (value, isMissing) in [(JSON.null, true), (false, false), (true, false)] {
      try page.set("isMember/value", value)
      #expect((page["isMember/error"] == .null) != isMissing)
    }
    try page.set("name/value", "")
    #expect(page["name/error"] != .null)
  }

  @Test func `has the bounds of numbers of all sizes`() throws {
    final class Sized: ViewModel {
      lazy var age = Field<UInt8>(self, 0)
      lazy var weight = Field<Float>(self, 0)
      static let surface = Surface<Sized>(
        "sized", .field("age", \.age, .range(18...120)), .field("weight", \.weight, .range(0.5...)))
    }
    let page = try ModelDriver { Sized() }
    #expect(page["age/bounds"] == ["min": 18, "max": 120])
    #expect(page["weight/bounds"] == ["min": 0.5])
  }
}
