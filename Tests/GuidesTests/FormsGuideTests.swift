// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Testing

final class Booking: ViewModel {
  lazy var name = Field(self, "")
  lazy var guests = Field<Int?>(self, nil)
  @Observed var booked: String?

  func book() {
    guard checkFields(), let count = guests.value else { return }
    if name.value == "Nobody" { return name.refuse("Nobody is not a guest of ours") }
    booked = "\(name.value), \(count) guests"
    name.reset()
    guests.reset()
  }

  static let surface = Surface<Booking>(
    "booking",
    .field("name", \.name, .required, .length(2...40)),
    .field("guests", \.guests, .required, .range(1...12)),
    .value("booked", \.$booked),
    .action("book", Booking.book))
}

/// The Swift of the guide "Fields and forms", compiled and run.
@Suite struct `The guide on forms` {
  @Test func `shows a form that names its errors, and is sent when there are none`() throws {
    #expect(try ModelDriver { Booking() }["name"] == Guide("Forms").json()[0])
    let booking = try ModelDriver { Booking() }
    try booking.perform("book")
    #expect(booking["name/error"] == "This is needed")
    try booking.set("name/value", "Anna")
    try booking.set("guests/value", 4)
    try booking.perform("book")
    #expect(booking["booked"] == "Anna, 4 guests")
    #expect(booking["name/value"] == "")
    try booking.set("name/value", "A")
    #expect(booking["name/error"] == "2 to 40 characters")
    try booking.set("guests/value", 20)
    #expect(booking["guests/error"] == "From 1 to 12")
    try booking.set("guests/value", 2)
    try booking.set("name/value", "Nobody")
    #expect(booking["name/error"] == .null)
    try booking.perform("book")
    #expect(booking["name/error"] == "Nobody is not a guest of ours")
  }

  @Test func `shows the sentences for mistakes`() throws {
    let booking = try ModelDriver { Booking() }
    for (path, value, sentence) in [
      ("name", JSON.string("Anna"), "'name' is a field of a form; expected 'name/value', which is written"),
      ("name/value", 7, "expected string, got integer"),
      ("booked", "x", "'booked' is read-only: the view sees it and cannot write it"),
    ] {
      let error = #expect(throws: SurfaceError.self) { try booking.set(path, value) }
      #expect(error.map { "\($0)" } == sentence)
      #expect(try Guide("Forms").text.contains("`\(sentence)`"))
    }
  }

  @Test func `shows a form that comes back after a restart`() async throws {
    try await expectRestorable { Booking() }
  }
}
