// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Locking
import Testing

/// A form of one customer, who may invite others to look at it, or to help.
private final class CustomerForm: ViewModel {
  struct Failure: Error {}
  let context: SessionContext
  @Observed var name = ""
  @Observed var note = ""
  @Observed var author: String?
  lazy var guests = Computed(self) { try $0.context.guests.get().map { $0.role ?? "looks" } }
  lazy var members = Computed(self) { try $0.context.members.get().map { $0.user?.id ?? "nobody" } }

  /// The invitation of an action that failed.
  let lost: Locked<String>

  init(_ context: SessionContext, lost: Locked<String> = Locked("")) { (self.context, self.lost) = (context, lost) }

  func write(_ text: String) { (name, author) = (text, context.action?.user?.id) }
  func sign() {}
  func remark(_ text: String) { note = text }
  func invite(_ role: String) throws -> String { try context.invite(as: role, for: .seconds(60)) }
  func inviteToLook() throws -> String { try context.invite() }
  func inviteAndFail() throws {
    lost.withLock { $0 = (try? context.invite()) ?? "" }
    throw Failure()
  }
  func withdraw() throws { try context.withdrawInvitations() }
  func dismiss() throws { for guest in try context.guests.get() { try context.dismiss(guest.client) } }

  static let surface = Surface<CustomerForm>(
    "customer-form", .value("name", \.$name), .value("author", \.$author), .value("guests", \.guests),
    .value("members", \.members),
    .value("note", \.$note).visible(to: .role("support")),
    .action("write", CustomerForm.write), .action("sign", CustomerForm.sign).for(.signedIn),
    .action("remark", CustomerForm.remark).for(.role("support")),
    .action("invite", CustomerForm.invite).for(.role("customer")),
    .action("inviteToLook", CustomerForm.inviteToLook), .action("inviteAndFail", CustomerForm.inviteAndFail),
    .action("withdraw", CustomerForm.withdraw), .action("dismiss", CustomerForm.dismiss))
}

/// A form in which no entry names a role.
private final class OpenForm: ViewModel {
  let context: SessionContext
  init(_ context: SessionContext) { self.context = context }
  func invite(_ role: String) throws -> String { try context.invite(as: role) }
  static let surface = Surface<OpenForm>("open-form", .action("invite", OpenForm.invite))
}

/// A form with a condition of its own, beside a role.
private final class OwnRuleForm: ViewModel {
  let context: SessionContext
  init(_ context: SessionContext) { self.context = context }
  func invite(_ role: String) throws -> String { try context.invite(as: role) }
  func sign() {}
  func look() {}
  static let surface = Surface<OwnRuleForm>(
    "own-rule-form", .action("invite", OwnRuleForm.invite), .action("sign", OwnRuleForm.sign).for(.role("signer")),
    .action("look", OwnRuleForm.look).for(.users("those who may look") { $0.roles.contains("anything") }))
}

@Suite(.timeLimit(.minutes(30))) struct `A guest of a room` {
  private let customer: ModelDriver
  private let lost = Locked("")

  init() throws {
    customer = try ModelDriver(
      scope: .room { $0?.id == "customer" }.orInvited, as: User(id: "customer", roles: ["customer"])
    ) { [lost] in CustomerForm($0, lost: lost) }
  }

  private func invitation(_ role: String = "support") throws -> String {
    guard case .string(let text) = try customer.perform("invite", role) else { return "" }
    return text
  }

  private func refusal(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)" }
    return "none"
  }

  @Test func `comes by an invitation where the rule does not let them in, and sees what the others see`() throws {
    #expect(refusal { _ = try customer.member(User(id: "eve")) }.contains("may not enter"))
    let helper = try customer.member(User(id: "helper"), by: invitation())
    try customer.perform("write", "Anna")
    #expect(helper["name"] == "Anna")
    #expect(customer["guests"] == ["support"])
  }

  @Test func `has the role of the invitation in this room, with or without a user of their own`() throws {
    let helper = try customer.member(User(id: "helper"), by: invitation())
    let nobody = try customer.member(nil, by: invitation())
    for (guest, text) in [(helper, "one"), (nobody, "two")] {
      try guest.perform("remark", text)
      #expect(guest["note"] == .string(text))
    }
    #expect(customer["note"] == nil)
    #expect(throws: SurfaceError.self) { try customer.perform("remark", "x") }
    #expect(throws: SurfaceError.self) { try helper.perform("invite", "support") }
    for guest in [helper, nobody] { guest.follow() }
    guard case .array(let members)? = customer["members"] else { return #expect(Bool(false), "no members") }
    #expect(members.count == 2 && members.contains("helper") && members.contains("nobody"))
    // Nobody has signed in there, whatever the role is.
    #expect(throws: SurfaceError.self) { try nobody.perform("sign") }
    try helper.perform("sign")
    try nobody.perform("write", "Cora")
    #expect(customer["author"] == .null)
    try helper.perform("write", "Dora")
    #expect(customer["author"] == "helper")
  }

  @Test func `without a role looks, and does what everybody may do`() throws {
    guard case .string(let text) = try customer.perform("inviteToLook") else { return #expect(Bool(false), "no text") }
    let looker = try customer.member(nil, by: text)
    try looker.perform("write", "Bert")
    #expect(looker["note"] == nil)
    #expect(customer["guests"] == ["looks"])
  }

  @Test func `is refused with an invitation that has expired, was withdrawn, was undone, or never was`() throws {
    let late = try invitation()
    customer.advance(by: .seconds(61))
    let withdrawn = try invitation()
    try customer.perform("withdraw")
    #expect(throws: (any Error).self) { try customer.perform("inviteAndFail") }
    for text in [late, withdrawn, lost.withLock { $0 }, "", "x"] {
      #expect(refusal { _ = try customer.member(User(id: "eve"), by: text) }.contains("was used"), "\(text)")
    }
    #expect(customer["guests"] == [])
  }

  @Test func `may not come again once dismissed, not by the same invitation either`() throws {
    let text = try invitation()
    let helper = try customer.member(User(id: "helper"), by: text)
    helper.follow()
    #expect(customer["members"] == ["helper"])
    try customer.perform("dismiss")
    #expect(customer["guests"] == [])
    #expect(refusal { _ = try customer.member(User(id: "helper"), by: text) }.contains("was used"))
  }

  @Test func `is there once more after the server was started again, and so are the invitations`() throws {
    let text = try invitation()
    _ = try customer.member(User(id: "helper"), by: invitation())
    try customer.interrupt()
    _ = try customer.member(User(id: "second"), by: text)
    #expect(customer["guests"] == ["support", "support"])
  }

  @Test func `is not invited with a role that nothing in the room is for`() throws {
    let told = refusal { _ = try invitation("suport") }
    #expect(told.contains("nothing here is for the role 'suport'; expected one of: customer, support"), "\(told)")
    #expect(refusal { _ = try invitation("") } != "none")
  }

  @Test func `may have any role where nothing names one, and where the app's own condition may ask for it`() throws {
    let open = try ModelDriver(scope: .room.orInvited) { OpenForm($0) }
    #expect(throws: Never.self) { try open.perform("invite", "anything") }
    let own = try ModelDriver(scope: .room.orInvited) { OwnRuleForm($0) }
    #expect(throws: Never.self) { try own.perform("invite", "anything") }
  }

  @Test func `is not invited while two hundred invitations wait, and the refusal names that limit`() throws {
    let waiting = try (1...200).map { _ in try invitation() }
    #expect(Set(waiting).count == 200)
    let error = #expect(throws: SurfaceError.self) { _ = try invitation() }
    guard case .tooManyInvited(let tooMany)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect((tooMany.things, tooMany.limit) == (.invitations, 200))
    #expect("\(tooMany)".contains("expected one to be used or withdrawn first"))
    try customer.perform("withdraw")
    #expect(try !invitation().isEmpty)
  }

  @Test func `is the one who comes by an invitation first whom the rule does not let in`() throws {
    let text = try invitation()
    let own = try customer.member(User(id: "customer"), by: text)
    #expect(throws: SurfaceError.self) { try own.perform("remark", "x") }
    #expect(customer["guests"] == [])
    _ = try customer.member(User(id: "helper"), by: text)
    #expect(customer["guests"] == ["support"])
  }

  @Test func `is invited into no other room`() throws {
    let closed = try ModelDriver(scope: .room, as: User(id: "customer", roles: ["customer"])) { CustomerForm($0) }
    #expect(throws: (any Error).self) { try closed.perform("invite", "support") }
    let own = try ModelDriver(as: User(id: "customer", roles: ["customer"])) { CustomerForm($0) }
    #expect(throws: (any Error).self) { try own.perform("invite", "support") }
  }
}
