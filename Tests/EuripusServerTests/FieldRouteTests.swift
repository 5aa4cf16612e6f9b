// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Testing

@testable import Euripus
@testable import EuripusOpenAPI
@testable import EuripusServer
import ViewModels

/// A form with a field of each kind.
private final class Order: ViewModel {
  lazy var email = Field(self, "")
  lazy var note = Field(self, "")
  lazy var age = Field<Int?>(self, nil)
  lazy var amount = Field<Int?>(self, nil)
  lazy var agrees = Field(self, false)
  lazy var pin = Field(self, "")
  func send() { _ = checkFields() }

  static let surface = Surface<Order>(
    "order",
    .field("email", \.email, .required, .length(3...20), .matches("[^@]+@[^@]+", "An address has an @"))
      .about("Where the bill goes."),
    .field("note", \.note, .length(3...9), .matches("[a-z]+", "Small letters")),
    .field("age", \.age, .range(18...120)),
    .field("amount", \.amount, .required, .range(1...)),
    .field("agrees", \.agrees, .required),
    .secretField("pin", \.pin, .required, when: \.email.isValid),
    .action("send", Order.send))
}

@Suite(.timeLimit(.minutes(30))) struct `A field over HTTP` {
  @Test func `is set by its value, and answers with what changed`() throws {
    let server = try TestServer([.hosting { Order() }])
    let client = try server.client()
    let url = try client.open("order")
    let put = try client.request("PUT", "\(url)/state/email/value", #""anna""#)
    #expect(put.status == 200)
    #expect(
      put.json?["patch"] == [
        ["op": "replace", "path": "/email/value", "value": "anna"],
        ["op": "replace", "path": "/email/error", "value": "An address has an @"],
        ["op": "replace", "path": "/email/touched", "value": true],
      ])
    #expect(try client.request("PUT", "\(url)/state/pin/value", #""1234""#).status == 409)
    #expect(try client.request("PUT", "\(url)/state/email/value", "7").status == 422)
    #expect(try client.request("PUT", "\(url)/state/email", #""anna""#).status == 403)
    #expect(try client.request("GET", "\(url)/state/email/bounds/maxlength").json == 20)
    #expect(try client.request("OPTIONS", "\(url)/state/email/value")["Allow"]?.contains("PUT") == true)
    #expect(try client.request("OPTIONS", "\(url)/state/email/error")["Allow"]?.contains("PUT") == false)
  }

  @Test func `has the bounds of its rules in the description, and drafts that break them`() throws {
    #expect(try valid("email") == ["minLength": 3, "maxLength": 20, "pattern": "^(?:[^@]+@[^@]+)$"])
    // An empty text breaks no rule unless the field is required.
    #expect(try valid("note") == ["maxLength": 9, "pattern": "^(?:[a-z]+)?$"])
    #expect(try valid("age") == ["minimum": 18, "maximum": 120])
    #expect(try valid("amount") == ["not": ["type": "null"], "minimum": 1, "maximum": .integer(.max)])
    #expect(try valid("agrees") == ["const": true])
  }

  @Test func `is an object of its own in the description of the state`() throws {
    let document = try Self.document()
    let properties = document["components"]?["schemas"]?["OrderState"]?["properties"]
    #expect(properties?["email"]?["description"] == "Where the bill goes.")
    let names = ["email", "note", "age", "amount", "agrees", "pin"]
    #expect(Set(names.compactMap { properties?[$0]?["$ref"]?.text }).count == names.count)
    let pin = document["components"]?["schemas"]?["PinFieldState"]
    #expect(pin?["required"] == ["error", "touched", "bounds"])
    #expect(document["paths"]?["/sessions/order/{id}/state/pin/value"]?["get"] == nil)
  }

  private static func document() throws -> JSON {
    try JSONReader.read(
      OpenAPIDocument([Order.surface.description], RouteTable.all).json, limits: .init(depth: 100, nodes: .max))
  }

  /// The schema's keywords for a value within the bounds, without title, type and description.
  private func valid(_ name: String) throws -> JSON {
    let document = try Self.document()
    let path = "/sessions/order/{id}/state/\(name)/value"
    var schema = document["paths"]?[path]?["put"]?["requestBody"]?["content"]?["application/json"]?["schema"]
    if let reference = schema?["$ref"]?.text {
      schema = document["components"]?["schemas"]?[try #require(reference.split(separator: "/").last.map(String.init))]
    }
    guard case .array(let variants)? = schema?["anyOf"], case .object(let members)? = variants.first else {
      return .null
    }
    #expect(variants.count == 2)
    return .object(members.filter { !["title", "type", "description"].contains($0.name) })
  }
}
