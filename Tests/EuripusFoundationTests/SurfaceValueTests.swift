// SPDX-License-Identifier: MIT
import Euripus
import EuripusFoundation
import EuripusTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A value of an app's own type on a surface` {
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

  @Test func `is refused at its place if it is of another form`() throws {
    let driver = try ModelDriver { Appointments() }
    let refusal = { (path: String, change: (inout JSON) -> Void) in
      var value = try JSON.text(visit)
      change(&value)
      let error = #expect(throws: SurfaceError.self) { try driver.perform(path, value) }
      return error.map { "\($0)" } ?? ""
    }
    #expect(
      try refusal("add") { $0["due"] = "tomorrow" }.contains(
        "expected date such as 2026-11-23T09:10:05Z, got another string at /due"))
    #expect(try refusal("add") { $0["price"] = 12.5 }.contains("got number at /price"))
    #expect(
      try refusal("add") { $0["kind"] = "rest" }.contains(
        #"expected one of "work", "play", got another string at /kind"#))
    #expect(
      try refusal("add") { $0["guests"] = [["seats": 1]] }.contains(
        "expected an object with 'name', got one without at /guests/0"))
    #expect(driver["next"] == .null)
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
