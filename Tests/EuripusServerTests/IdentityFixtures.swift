// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching

/// A view model that signs in any user whom a client names, in an action or in a command.
final class Gatehouse: ViewModel {
  let context: SessionContext
  lazy var name = Computed(self) { try $0.context.user.get()?.name ?? "nobody" }
  let count = Observable(0)

  init(_ context: SessionContext) { self.context = context }

  func enter(_ name: String) throws { try context.signIn(User(id: name, name: name, roles: ["guest"])) }
  func leave() throws { try context.signOut() }
  func leaveEverywhere() throws { try context.signOut(isEverywhere: true) }
  func dismiss(_ name: String) throws { try context.signOut(userWithID: name) }
  func fail(_ name: String) throws {
    try enter(name)
    throw Refusal()
  }
  nonisolated(nonsending) func enterLater(_ name: String) async throws {
    await Task.yield()
    try context.signIn(User(id: name, name: name))
  }
  nonisolated(nonsending) func leaveLater() async throws {
    await Task.yield()
    try context.signOut()
  }
  nonisolated(nonsending) func wait() async throws { try await Task.sleep(for: .seconds(600)) }
  func add() { count.value += 1 }

  struct Refusal: Error {}

  static let surface = Surface<Gatehouse>(
    "gatehouse", .value("name", \.name), .value("count", \.count), .action("enter", Gatehouse.enter),
    .action("leave", Gatehouse.leave), .action("leaveEverywhere", Gatehouse.leaveEverywhere),
    .action("dismiss", Gatehouse.dismiss),
    .action("fail", Gatehouse.fail), .action("add", Gatehouse.add), .command("enterLater", Gatehouse.enterLater),
    .command("leaveLater", Gatehouse.leaveLater), .command("wait", Gatehouse.wait))
}

extension TestServer {
  /// A new client that this user has signed in with, and its gatehouse.
  func signedIn(_ name: String) throws -> (client: TestClient, url: String) {
    let client = try client()
    return (client, try client.enter(name))
  }
}

extension TestClient {
  /// Opens a gatehouse, and signs a user in there. The client goes on with its new key.
  func enter(_ name: String) throws -> String {
    let url = try open("gatehouse")
    goOn(with: try request("POST", "\(url)/actions/enter", "\"\(name)\"").key)
    return url
  }
}

/// A user's own notes: one session for each user.
final class OwnNotes: ViewModel {
  @Observed var lines: [String] = []
  private let context: SessionContext
  lazy var owner = Computed(self) { try $0.context.user.get()?.id ?? "" }

  init(_ context: SessionContext) { self.context = context }

  func add(_ line: String) { lines.append(line) }
  func leave() throws { try context.signOut() }

  static let surface = Surface<OwnNotes>(
    "own-notes", .value("lines", \.$lines), .value("owner", \.owner), .action("add", OwnNotes.add),
    .action("leave", OwnNotes.leave))
}
