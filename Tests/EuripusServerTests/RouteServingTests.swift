// SPDX-License-Identifier: MIT
import EuripusTesting
import Testing

@testable import Euripus
@testable import EuripusServer

/// The server serves the routes of the table, and nothing else.
@Suite(.timeLimit(.minutes(30))) struct `A server's routes` {
  @Test func `lead to their resources`() throws {
    for resource in RouteTable.all.resources {
      let target = try #require(RequestTarget(Self.filled(resource.template)))
      #expect(RouteTable.all.find(target.segments).resource?.number == resource.number, "\(resource.template.text)")
    }
  }

  @Test func `are served, and a method that is not in the table is refused with those that are`() throws {
    let opened = try Opened { $0.publicDirectory = publicDirectory }
    for resource in RouteTable.all.resources {
      let known = resource.routes.map(\.method.rawValue)
      let path = Self.filled(resource.template)
      for method in ["GET", "POST", "PUT", "DELETE", "PATCH", "TRACE"] {
        // The session is not there: this test is about the refusals before the server looks for it.
        let response = try opened.client.request(method, path, ["GET", "TRACE"].contains(method) ? nil : "1")
        if known.contains(method) {
          #expect(response.status != 405 && response.status != 501, "\(method) \(path): \(response.text)")
          continue
        }
        #expect((response.status, response.problem) == (405, "method-not-allowed"), "\(method) \(path)")
        let allowed = try #require(response["Allow"]).split(separator: ", ").map(String.init)
        let expected = known + (known.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]
        #expect(Set(allowed) == Set(expected) && allowed.count == expected.count, "\(path)")
      }
    }
  }

  /// A path of the template's form.
  static func filled(_ template: PathTemplate) -> String {
    template.text.replacing("{model}", with: "counter").replacing("{id}", with: "AAAAAAAAAAAAAAAAAAAAAA")
      .replacing("{path}", with: "count")
      .replacing("/models/{name}", with: "/models/counter").replacing("{name}", with: "not-found")
  }
}
