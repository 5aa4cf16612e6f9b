// SPDX-License-Identifier: MIT
import Euripus
import EuripusNodes
import EuripusTesting
import JSONPatching
import Testing

/// A desk of one user, who may invite helpers.
private final class Desk: ViewModel {
  private let context: SessionContext
  @Observed var notes: [String] = []

  init(_ context: SessionContext) { self.context = context }

  func invite() throws -> String { try context.invite(as: "helper") }
  func help(_ note: String) { notes.append(note) }
  func dismiss() throws { for guest in try context.guests.get() { try context.dismiss(guest.client) } }

  static let surface = Surface<Desk>(
    "desk", .value("notes", \.$notes), .action("invite", Desk.invite), .action("dismiss", Desk.dismiss),
    .action("help", Desk.help).for(.role("helper")))
}

/// Signs in whoever asks for it.
private final class Door: ViewModel {
  private let context: SessionContext
  init(_ context: SessionContext) { self.context = context }
  func enter(_ id: String) throws { try context.signIn(User(id: id)) }
  static let surface = Surface<Door>("door", .action("enter", Door.enter))
}

@Suite(.timeLimit(.minutes(30))) struct `A guest of a room at another server` {
  private let schema: TestSchema

  init() throws { schema = try TestSchema() }

  @Test func `comes in, acts, reads on and is dismissed there`() async throws {
    let models: [HostedModelType] = [
      .hosting(scope: .room { $0?.id == "owner" }.orInvited) { Desk($0) }, .hosting { Door($0) },
    ]
    let (first, second) = (try schema.server(models), try schema.server(models))
    let (owner, guest, stranger) = (try first.client(), try second.client(), try second.client())
    let door = try await owner.open("door")
    owner.goOn(
      with: try await owner.request("POST", "\(door)/actions/enter", #""owner""#)["Set-Cookie"]?.prefix { $0 != ";" }
        .description)
    let desk = try await owner.open("desk")
    let invited = try await owner.request("POST", "\(desk)/actions/invite")
    guard case .string(let invitation)? = invited.json?["result"] else {
      return #expect(Bool(false), "\(invited.text)")
    }

    #expect(try await stranger.request("POST", "/sessions/desk", #"{"invitation":"x"}"#).problem == "no-invitation")
    let entered = try await guest.request("POST", "/sessions/desk", #"{"invitation":"\#(invitation)"}"#)
    #expect(entered.status == 201 && entered["Location"] == desk, "\(entered.text)")
    #expect(try await guest.request("POST", "\(desk)/actions/help", #""Milk""#).status == 200)
    #expect(try await owner.request("GET", desk).json?["state"]?["notes"] == ["Milk"])
    #expect(
      try await stranger.request("POST", "/sessions/desk", #"{"invitation":"\#(invitation)"}"#).problem
        == "no-invitation")
    #expect(try await owner.request("POST", "\(desk)/actions/dismiss").status == 200)
    #expect(try await guest.request("GET", desk).problem == "no-session")
    #expect(try await guest.request("POST", "\(desk)/actions/help", #""Eggs""#).problem == "no-session")
  }
}

extension TestClient.Response {
  /// The name of the problem that it is; `nil` for another answer.
  var problem: String? {
    guard case .string(let type)? = json?["type"] else { return nil }
    return type.split(separator: "/").last.map { String($0) }
  }
}
