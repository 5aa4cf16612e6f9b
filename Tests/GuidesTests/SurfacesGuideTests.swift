// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Foundation
import Testing

struct Label: Codable, Equatable { var text: String }

struct Card: Codable, Equatable, JSONRepresentable {
  enum Colour: String, Codable, CaseIterable { case red, blue }
  var title: String
  var colour: Colour
  var due: Date?
  var labels: [Label] = []  // Label is Codable
}

final class Desk: ViewModel {
  struct Service: Sendable {
    nonisolated(nonsending) func publish(_ note: String) async throws -> [String] { [note] }
  }

  @Observed var shown: [String] = []
  @Observed var card = Card(title: "", colour: .red)
  private let service = Service()

  func publish(_ note: String, _ run: CommandRun) async throws -> Int {
    run.report(0.5)
    shown = try await service.publish(note)
    return shown.count
  }

  static let surface = Surface<Desk>(
    "desk", .value("shown", \.$shown), .twoWay("card", \.$card), .command("publish", Desk.publish))
}

final class Registration: ViewModel {
  lazy var email = Field(self, "")
  lazy var age = Field<Int?>(self, nil)
  lazy var password = Field(self, "")
  lazy var repeated = Field(self, "")

  func send() {
    guard checkFields() else { return }
    if isKnown(email.value) { email.refuse("There is an account with this address") }
  }

  static let surface = Surface<Registration>(
    "registration",
    .field("email", \.email, .required, .length(...254), .matches(".+@.+", "An address has an @")),
    .field("age", \.age, .range(18...120, "For adults")),
    .secretField("password", \.password, .required, .length(8...)),
    .secretField("repeated", \.repeated, .rule("The two differ") { form, text in text == form.password.value }),
    .action("send", Registration.send))
}

extension Registration {
  fileprivate func isKnown(_ address: String) -> Bool { address == "anna@example.org" }
}

final class App: ViewModel {
  enum Order: String, CaseIterable, JSONRepresentable { case name, date }

  @Observed var tab = "all"
  @Observed var order = Order.name
  let navigation = Coordinator()

  init() { navigation.build(self) { _, _ in Desk() } }

  static let surface = Surface<App>(
    "app",
    .twoWay("tab", \.$tab).inAddress(),
    .twoWay("order", \.$order).inAddress(.replace),
    .nested("navigation", \.navigation).inAddress())
}

/// The Swift of the guide "What a surface can have", compiled and run.
@Suite struct `The guide on surfaces` {
  @Test func `shows a type of one's own, and where a value of it is wrong`() throws {
    let desk = try ModelDriver { Desk() }
    let card: JSON = ["title": "Tax", "colour": "blue", "due": "2026-11-23T09:10:05Z", "labels": []]
    try desk.set("card", card)
    #expect(desk["card"] == card)
    let wrong: JSON = ["title": 1, "colour": "red", "labels": []]
    let error = #expect(throws: SurfaceError.self) { try desk.set("card", wrong) }
    #expect(error.map { "\($0)" } == "expected string, got integer at /title")
  }

  @Test func `shows a command that takes a value, and gives one`() async throws {
    let desk = try ModelDriver { Desk() }
    try desk.perform("publish", "news")
    await desk.settled()
    #expect(desk["publish/result"] == 1)
    #expect(desk["shown"] == ["news"])
  }

  @Test func `shows an address`() throws {
    let app = try ModelDriver(at: "/app", address: "/app/music/jazz?tab=new&order=date") { App() }
    #expect(app.address == "/app/music/jazz?tab=new&order=date")
    #expect(app["navigation/path"] == ["music", "jazz"])
  }
}
