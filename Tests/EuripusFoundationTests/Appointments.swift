// SPDX-License-Identifier: MIT
import Euripus
import EuripusFoundation
import Foundation

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
