// SPDX-License-Identifier: MIT
import Euripus
import EuripusFoundation
import EuripusTesting
import Foundation
import Testing

/// A value of an app: the words `Codable, JSONRepresentable` are all that it needs.
struct Appointment: Codable, Equatable, JSONRepresentable {
  enum Kind: String, Codable, CaseIterable { case work, play }

  var id: UUID
  var title: String
  var due: Date?
  var link: URL
  var price: Decimal
  var kind: Kind
  var guests: [Guest] = []
}

struct Guest: Codable, Equatable, JSONRepresentable {
  var name: String
  var seats: Int?
}

/// A view model that has such values wherever a surface takes one.
final class Appointments: ViewModel {
  @Observed var next: Appointment?
  @Observed var guest = Guest(name: "")
  private(set) var last = Date(timeIntervalSince1970: 0)
  private(set) var past: [Appointment] = []
  lazy var count = Computed(self) { ["guests": $0.next?.guests.count ?? 0] }

  func add(_ appointment: Appointment) -> [Guest] {
    if let next { past.append(next) }
    (next, last) = (appointment, appointment.due ?? last)
    return appointment.guests
  }

  func invite(_ guest: Guest, _ until: Date) { next?.guests.append(guest) }

  func pastOnes() -> [Appointment] { past }

  nonisolated(nonsending) func move(_ due: Date) async throws -> Appointment? {
    next?.due = due
    return next
  }

  static let surface = Surface<Appointments>(
    "appointments", .value("next", \.$next), .twoWay("guest", \.$guest), .value("count", \.count),
    .action("add", Appointments.add), .action("invite", Appointments.invite, takes: "guest", "until"),
    .action("pastOnes", Appointments.pastOnes), .command("move", Appointments.move), .stored("last", \.last),
    .stored("past", \.past))
}

extension JSON {
  /// The value of a JSON text that stands in a test.
  static func text(_ text: String) throws -> JSON { try JSONReader.read(Array(text.utf8)) }
}

/// An appointment as a client sends it, and as everybody reads it.
let visit = """
  {"id":"f81d4fae-7dec-11d0-a765-00a0c91e6bf6","title":"Visit","due":"2026-11-23T09:10:05.250Z",\
  "link":"https://example.org/visit","price":"12.5","kind":"play","guests":[{"name":"Anna","seats":2}]}
  """

@Suite(.timeLimit(.minutes(30))) struct `A value of an app's own type on a surface` {
  @Test func `is shown, written, taken and given`() async throws {
    let driver = try ModelDriver { Appointments() }
    let visit = try JSON.text(visit)
    #expect(driver["next"] == .null)
    #expect(try driver.perform("add", visit) == [["name": "Anna", "seats": 2]])
    #expect(driver["next"] == visit)
    #expect(driver["count"] == ["guests": 1])
    try driver.set("guest", ["name": "Bert"])
    #expect(driver["guest"] == ["name": "Bert"])
    try driver.perform("invite", ["guest": ["name": "Bert"], "until": "2026-11-23T09:10:05+01:00"])
    #expect(driver["next/guests"] == [["name": "Anna", "seats": 2], ["name": "Bert"]])
    try driver.perform("move", "2026-11-24T00:00:00+02:00")
    await driver.settled()
    #expect(driver["next/due"] == "2026-11-23T22:00:00Z")
    #expect(driver["move/result/due"] == "2026-11-23T22:00:00Z")
    try driver.perform("add", visit)
    #expect(try driver.perform("pastOnes")[0]?["title"] == "Visit")
  }

  @Test func `has its members in the description`() throws {
    let server = try TestServer([.hosting { Appointments() }])
    let document = try #require(try server.client().request("GET", "/openapi.json").json)
    let schemas = document["components"]?["schemas"]
    let appointment = schemas?["Appointment"]
    #expect(appointment?["required"] == ["id", "title", "link", "price", "kind", "guests"])
    #expect(appointment?["properties"]?["id"]?["format"] == "uuid")
    #expect(appointment?["properties"]?["due"]?["type"] == ["string", "null"])
    #expect(appointment?["properties"]?["due"]?["format"] == "date-time")
    #expect(appointment?["properties"]?["kind"] == ["$ref": "#/components/schemas/Kind"])
    #expect(appointment?["properties"]?["guests"]?["items"] == ["$ref": "#/components/schemas/Guest"])
    #expect(schemas?["Kind"]?["enum"] == ["work", "play"])
    #expect(schemas?["Guest"]?["properties"]?["seats"]?["type"] == ["integer", "null"])
    #expect(schemas?["Guest"]?["required"] == ["name"])
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A route of an app's own` {
  @Test func `reads and answers with values of the app's own types`() throws {
    let server = try TestServer([.hosting { Appointments() }]) {
      $0.routes = [
        .post("/appointments") { request in
          var appointment = try request.json(as: Appointment.self)
          appointment.due?.addTimeInterval(60)
          return .json(appointment, status: 201)
        },
        .get("/guests") { _ in .json([Guest(name: "Anna"), Guest(name: "Bert", seats: 2)]) },
      ]
    }
    let client = try server.client()
    let made = try client.request("POST", "/appointments", visit)
    #expect(made.status == 201 && made.json?["due"] == "2026-11-23T09:11:05.250Z")
    #expect(made["Content-Type"] == "application/json")
    #expect(try client.request("GET", "/guests").text == #"[{"name":"Anna"},{"name":"Bert","seats":2}]"#)
    let refused = try client.request("POST", "/appointments", #"{"id":7}"#)
    #expect(refused.status == 422)
    #expect(
      refused.json?["detail"] == "expected UUID such as f81d4fae-7dec-11d0-a765-00a0c91e6bf6, got integer at /id")
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A stored value of an app's own type` {
  @Test func `is the same after a restart, after any changes`() async throws {
    try await expectRestorable { Appointments() }
  }

  /// A copy of a running server's files stands for the files of a killed one: both hold the same.
  @Test func `is in the files of a server that is killed`() async throws {
    let files = FileManager.default
    let directory = files.temporaryDirectory.appending(path: "euripus-values-\(UUID())")
    let copy = directory.appending(path: "copy")
    try files.createDirectory(at: copy, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: directory) }

    let server = try TestServer([.hosting { Appointments() }]) {
      $0.sessions.storage = .sqlite(directory.appending(path: "sessions.db").path)
    }
    let client = try server.client()
    let url = try await client.open("appointments")
    for _ in 0..<2 { #expect(try await client.request("POST", "\(url)/actions/add", visit).status == 200) }
    let state = try await client.request("GET", url).json?["state"]
    for name in try files.contentsOfDirectory(atPath: directory.path) where name.hasPrefix("sessions") {
      try files.copyItem(at: directory.appending(path: name), to: copy.appending(path: name))
    }

    let later = try TestServer([.hosting { Appointments() }]) {
      $0.sessions.storage = .sqlite(copy.appending(path: "sessions.db").path)
    }
    let back = try later.client()
    back.goOn(with: client.cookie)
    #expect(try await back.request("GET", url).json?["state"] == state)
    #expect(try state?["next"] == JSON.text(visit))
    let past = try await back.request("POST", "\(url)/actions/pastOnes").json?["result"]
    #expect(try past == [JSON.text(visit)])
  }

  @Test func `is refused where no text of it could be written`() throws {
    final class Timed: ViewModel {
      @Observed var due = Date.distantPast
      static let surface = Surface<Timed>("timed", .twoWay("due", \.$due))
    }
    let model = try ModelDriver { Timed() }
    for text in ["0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"] {
      #expect(throws: (any Error).self) { try model.set("due", .string(text)) }
    }
    try model.set("due", "9999-12-31T23:59:59Z")
    #expect(model["due"] == "9999-12-31T23:59:59Z")
  }
}
