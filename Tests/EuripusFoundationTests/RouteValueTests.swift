// SPDX-License-Identifier: MIT
import Euripus
import EuripusFoundation
import EuripusTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A route of an app's own` {
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
