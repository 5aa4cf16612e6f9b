// SPDX-License-Identifier: MIT
import Demos
import EuripusTesting
import Foundation
import JSONPatching
import Testing

@Suite(.timeLimit(.minutes(30))) struct `The page demo` {
  /// The gate at which a toast waits for the end of its time.
  private let gate = Gate<Void>()

  private func open() throws -> ModelDriver {
    try ModelDriver { [gate] in PageViewModel { _ in try await gate.pass() } }
  }

  private func enter(_ account: String, _ password: String, _ page: ModelDriver) throws {
    try page.set("modules/items/fields/account", .string(account))
    try page.set("modules/items/fields/password", .string(password))
  }

  @Test func `S2-9 S2-10 is a notice, the fields and the buttons with space between, below the top module`() throws {
    #expect(
      try open()["modules"] == [
        "order": ["top", "text", "blank", "fields", "blank-2", "buttons"],
        "items": [
          "top": ["kind": "text", "text": "Swiped to the top"],
          "text": ["kind": "text", "text": "Start A Journey"],
          "blank": ["kind": "blank", "height": 80],
          "fields": [
            "kind": "fields", "account": "", "password": "", "accountHint": "Input account please.",
            "passwordHint": "Input password please.", "layout": "below",
          ],
          "blank-2": ["kind": "blank", "height": 10],
          "buttons": ["kind": "buttons", "register": "Register", "login": "Login"],
        ],
      ])
  }

  @Test(arguments: [("admin", "1234567"), ("admin", ""), ("Admin", "123456"), ("", "123456"), ("maruko", "123456")])
  func `S2-10 logs in nobody but admin with 123456, and says nothing of it`(account: String, password: String) throws {
    let page = try open()
    try enter(account, password, page)
    let revision = page.revision
    try page.perform("modules/items/buttons/login")
    #expect(page.revision == revision)
    try enter("admin", "123456", page)
    _ = page.takeChanges()
    try page.perform("modules/items/buttons/login")
    #expect(page.takeChanges() == ["toast"])
    #expect(page["toast"] == "Login Succeed.")
  }

  @Test func `S2-10 registers everybody but admin`() throws {
    let page = try open()
    try enter("admin", "secret", page)
    try page.perform("modules/items/buttons/register")
    #expect(page["toast"] == "")
    try enter("maruko", "", page)
    try page.perform("modules/items/buttons/register")
    #expect(page["toast"] == "Register Done.")
  }

  @Test func `S2-10 a toast goes by itself, and one that follows another stays its own time`() async throws {
    let page = try open()
    try page.perform("modules/items/buttons/register")
    gate.open()
    await page.wait { $0["toast"] == "" }
    try page.perform("modules/items/buttons/register")
    try enter("admin", "123456", page)
    try page.perform("modules/items/buttons/login")
    #expect(page["toast"] == "Login Succeed.")
    gate.open()
    await page.settled()
    #expect(page["toast"] == "")
  }

  @Test func `S2-6 S2-7 takes appearing, disappearing and rotations, and binds the fields' layout alone`() throws {
    let page = try open()
    _ = page.takeChanges()
    for (action, visible) in [
      ("willAppear", false), ("didAppear", true), ("willDisappear", true), ("didDisappear", false),
    ] {
      try page.perform(action)
      #expect(page["visible"] == .bool(visible))
    }
    for (orientation, layout) in [(3, "beside"), (1, "below"), (4, "beside")] as [(JSON, JSON)] {
      _ = page.takeChanges()
      try page.perform("rotated", orientation)
      #expect(page["modules/items/fields/layout"] == layout)
      #expect(page.takeChanges() == ["modules/items/fields/layout", "orientation", "checks", "refreshes"])
    }
    #expect(page["refreshes"] == 12)
    #expect(page["checks"] == 36)
  }

  @Test func `S2-11 the page's own view model names its modules, and sets up none of them`() throws {
    let path = #filePath.replacing("Tests/DemosTests/PageTests.swift", with: "Demos/Page/PageViewModel.swift")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for word in ["Input account", "\"Register\"", "\"Login\"", "layout"] { #expect(!text.contains(word), "\(word)") }
    // The document's view model has 62 lines besides the 50 of its view controller, without the blank ones.
    #expect(text.split(separator: "\n").count < 62)
  }
}
