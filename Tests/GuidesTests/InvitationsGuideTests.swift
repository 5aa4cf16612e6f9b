// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Testing

/// Names the list of one person.
struct ListOwner: Codable, JSONRepresentable, Sendable { var owner: String }

final class SharedList: ViewModel {
  @Observed var lines: [String] = []
  lazy var guests = Computed(self) { try $0.context.guests.get().count }
  private let context: SessionContext

  init(_ context: SessionContext) { self.context = context }

  func add(_ text: String) { lines.append(text) }
  func invite() throws -> String { try context.invite(as: "helper") }
  func dismissAll() throws {
    for guest in try context.guests.get() { try context.dismiss(guest.client) }
    try context.withdrawInvitations()
  }

  static let surface = Surface<SharedList>(
    "shared-list", .params(ListOwner.self), .value("lines", \.$lines), .value("guests", \.guests),
    .action("add", SharedList.add).for(.anyRole("owner", "helper")),
    .action("invite", SharedList.invite).for(.role("owner")),
    .action("dismissAll", SharedList.dismissAll).for(.role("owner")))
}

struct ListsApp: EuripusApp {
  var models: Models {
    hosting(at: "/list", scope: .room { (list: ListOwner, user) in user?.id == list.owner }.orInvited) {
      SharedList($0)
    }
  }
}

/// The Swift of the guide "Inviting others", compiled and run.
@Suite(.timeLimit(.minutes(30))) struct `The guide on inviting others` {
  @Test func `lets a helper in by an invitation, once`() throws {
    let list = try ModelDriver(
      scope: .room { (list: ListOwner, user) in user?.id == list.owner }.orInvited,
      as: User(id: "7", roles: ["owner"]), params: ["owner": "7"]
    ) { SharedList($0) }
    guard case .string(let invitation) = try list.perform("invite") else { return }
    let helper = try list.member(nil, by: invitation)
    try helper.perform("add", "Milk")
    #expect(list["lines"] == ["Milk"])
    #expect(throws: (any Error).self) { try list.member(nil, by: invitation) }
    try list.perform("dismissAll")
    #expect(list["guests"] == 0)
  }
}
