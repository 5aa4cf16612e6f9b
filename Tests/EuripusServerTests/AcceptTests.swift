// SPDX-License-Identifier: MIT
import Testing

@testable import EuripusServer

@Suite struct `An Accept field` {
  private static let types = ["application/json", "text/event-stream"]

  @Test(arguments: [
    (nil, "application/json"),
    ("", "application/json"),
    ("*/*", "application/json"),
    ("text/event-stream", "text/event-stream"),
    ("TEXT/Event-Stream", "text/event-stream"),
    ("text/*", "text/event-stream"),
    ("text/event-stream, application/json", "application/json"),
    ("text/event-stream, */*;q=0.9", "text/event-stream"),
    ("application/json;q=0.4,text/event-stream;q=0.5", "text/event-stream"),
    ("application/json;q=0.501 , text/event-stream;q=0.5", "application/json"),
    // The most precise range decides, wherever it stands in the field.
    ("*/*, application/json;q=0", "text/event-stream"),
    ("*/*;q=0.1, text/*;q=0.3, text/event-stream;q=0.05", "application/json"),
    ("application/json ; charset=utf-8 ; q=0.2, text/event-stream;q=0.1", "application/json"),
    ("application/json;q=0, text/event-stream;q=0.001", "text/event-stream"),
    ("application/json;Q=0.1, text/event-stream", "text/event-stream"),
    ("application/json;q=1.000, text/event-stream;q=0.999", "application/json"),
    // A range that cannot be read is left out. Where no range can be read, any media type will do.
    ("application/json;q=2, text/event-stream;q=0.1", "text/event-stream"),
    ("application/json;q=0.1234, text/event-stream;q=0.1", "text/event-stream"),
    ("application/json;q=1.001, text/event-stream;q=0.1", "text/event-stream"),
    ("application/json;q=, text/event-stream;q=0.1", "text/event-stream"),
    ("*/json, text/event-stream;q=0.1", "text/event-stream"),
    ("json", "application/json"),
  ])
  func `chooses by weight, and between equals the first of those that are offered`(field: String?, type: String) {
    #expect(Accept(field).best(of: Self.types) == type)
  }

  @Test(arguments: [
    "text/html", "image/*", "application/json;q=0", "*/*;q=0", "application/*;q=0, text/plain",
    "text/event-stream;q=0.000, application/json;q=0.0",
  ])
  func `lets nothing through that it does not name, or names with no weight`(field: String) {
    #expect(Accept(field).best(of: Self.types) == nil)
  }
}
