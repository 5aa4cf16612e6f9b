// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Foundation
import Testing

struct BoardParams: Codable, JSONRepresentable {
  var board: Int
}

final class Board: ViewModel {
  static let keepers = Audience.anyRole("owner", "staff")
  private let context: SessionContext
  @Observed var number: Int
  @Observed var lines: [String] = []
  @Observed var wages = 0
  lazy var name = Computed(self) { try $0.context.user.get()?.name ?? "" }
  lazy var canClear = Computed(self) { try Board.keepers.contains($0.context.user.get()) }
  lazy var isGerman = Computed(self) { try $0.context.languages.get().first?.hasPrefix("de") == true }
  lazy var zone = Computed(self) { try $0.context.timeZone.get() ?? "UTC" }

  init(_ context: SessionContext) {
    self.context = context
    number = context.params(BoardParams.self).board
  }

  func add(_ line: String) { lines.append(line) }
  func clear() { lines = [] }

  static let surface = Surface<Board>(
    "board", .params(BoardParams.self), .value("number", \.$number), .value("lines", \.$lines),
    .value("name", \.name), .value("isGerman", \.isGerman), .value("zone", \.zone),
    .action("add", Board.add).for(.signedIn),
    .action("clear", Board.clear).for(keepers), .value("canClear", \.canClear),
    .twoWay("wages", \.$wages).visible(to: .role("accounts")))
}

protocol Accounts: Sendable {
  func user(name: String, password: String) async throws -> User?
  func user(ofToken token: String) async throws -> User?
  func user(ofInvitation code: String) -> User?
}

final class Door: ViewModel {
  private let context: SessionContext
  private let accounts: any Accounts
  @Observed var account = ""
  @Observed var password = ""
  lazy var name = Computed(self) { try $0.context.user.get()?.name ?? "" }

  init(_ context: SessionContext, _ accounts: any Accounts) {
    self.context = context
    self.accounts = accounts
  }

  func enter() async throws {
    defer { password = "" }
    guard let user = try await accounts.user(name: account, password: password) else { throw NotKnown() }
    try context.signIn(user)
  }

  func redeem(_ code: String) throws {
    guard let user = accounts.user(ofInvitation: code) else { throw NotKnown() }
    try context.signIn(user)
  }

  func leave() throws { try context.signOut() }
  func leaveEverywhere() throws { try context.signOut(isEverywhere: true) }

  static let surface = Surface<Door>(
    "door", .twoWay("account", \.$account), .secret("password", \.$password), .value("name", \.name),
    .command("enter", Door.enter), .action("redeem", Door.redeem),
    .action("leave", Door.leave).for(.signedIn),
    .action("leaveEverywhere", Door.leaveEverywhere).for(.signedIn))
}

struct NotKnown: PresentableError {
  let type = "not-known"
  let detail = "The name or the password is wrong"
}

final class Notes: ViewModel {
  private let context: SessionContext
  @Observed var lines: [String] = []
  @Observed var writer = ""

  init(_ context: SessionContext) { self.context = context }

  func add(_ line: String) {
    lines.append(line)
    writer = context.action?.client ?? ""
  }

  static let surface = Surface<Notes>(
    "notes", .value("lines", \.$lines), .value("writer", \.$writer), .action("add", Notes.add))
}

struct BoardApp: AuthenticatingApp {
  static let accounts = Directory()

  var models: Models {
    HostedModelType.hosting { context in Board(context) }
    HostedModelType.hosting(awaitsCommands: true) { context in Door(context, Self.accounts) }
    HostedModelType.hosting(scope: .user) { context in Notes(context) }
  }

  func authenticate(_ request: RequestHead) async throws -> User? {
    guard let token = request.bearerToken ?? request.cookies("sid").first else { return nil }
    return try await Self.accounts.user(ofToken: token)
  }
}

/// The accounts of the article's app, of which there is one.
struct Directory: Accounts {
  func user(name: String, password: String) async throws -> User? {
    name == "anna" && password == "correct horse" ? anna : nil
  }
  func user(ofToken token: String) async throws -> User? { token == "t1" ? anna : nil }
  func user(ofInvitation code: String) -> User? { code == "welcome" ? anna : nil }

  private var anna: User { User(id: "7", name: "Anna", roles: ["staff"]) }
}

/// The Swift of the article about users, compiled and run. GuidesTests compares the lines.
@Suite(.timeLimit(.minutes(30))) struct `The article about users` {
  @Test func `shows a board that knows its user, its parameters and its languages`() throws {
    let anna = User(id: "7", name: "Anna")
    let board = try ModelDriver(as: anna, params: ["board": 7], languages: ["de-AT"], timeZone: "Europe/Vienna") {
      Board($0)
    }
    #expect(board["name"] == "Anna")
    #expect(board["number"] == 7)
    #expect(board["isGerman"] == true)
    try board.perform("add", "Milk")
    #expect(throws: SurfaceError.self) { try board.perform("clear") }
    #expect(board["canClear"] == false)
    #expect(board["wages"] == nil)
    board.become(User(id: "7", name: "Anna", roles: ["owner", "accounts"]))
    #expect(board["canClear"] == true)
    try board.perform("clear")
    #expect(board["wages"] == 0)
    board.become(nil)
    #expect(board["name"] == "")
    #expect(board["zone"] == "Europe/Vienna")
    try board.prefer(languages: ["fr"], timeZone: "Europe/Paris")
    #expect(board["isGerman"] == false)
  }

  @Test func `shows a door through which a user comes in and goes out`() async throws {
    let door = try ModelDriver { Door($0, Directory()) }
    try door.set("account", "anna")
    try door.set("password", "correct horse")
    try door.perform("enter")
    await door.settled()
    #expect(door["name"] == "Anna")
    #expect(door["password"] == "")
    try door.perform("leave")
    #expect(door["name"] == "")
    try door.perform("redeem", "welcome")
    #expect(door["name"] == "Anna")
  }

  @Test func `shows users that a proxy names, and users that the app knows, over HTTP`() async throws {
    let server = try TestServer([.hosting { Board($0) }, .hosting(scope: .user) { Notes($0) }]) { configuration in
      configuration.trustedProxies = ["127.0.0.1"]
      configuration.userHeader = UserHeader("X-Forwarded-User,name=X-Forwarded-Preferred-Username")
      configuration.authenticate = { try await BoardApp().authenticate($0) }
    }
    for fields in [
      [("X-Forwarded-User", "7"), ("X-Forwarded-Preferred-Username", "Anna")], [("Authorization", "Bearer t1")],
      [("Cookie", "sid=t1")],
    ] {
      let client = try server.client()
      let opened = try await client.request("POST", "/sessions/board", #"{"params":{"board":7}}"#, fields: fields)
      #expect(opened.json?["state"]?["name"] == "Anna")
    }
    let nobody = try await server.client().request("POST", "/sessions/notes")
    #expect(nobody.json?["type"] == "/problems/sign-in-needed")
  }

  @Test func `shows lines of curl that have the answers beside them`() throws {
    let server = try TestServer([
      .hosting { Board($0) }, .hosting(awaitsCommands: true) { Door($0, Directory()) },
    ])
    let block = try article().components(separatedBy: "```sh\n").dropFirst().first { $0.hasPrefix("B=http://") }
    let lines = try #require(block?.components(separatedBy: "```").first)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("curl-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (shell, output) = (Process(), Pipe())
    shell.executableURL = URL(fileURLWithPath: "/bin/bash")
    shell.arguments = ["-euc", lines.replacing("127.0.0.1:8080", with: "127.0.0.1:\(server.port)")]
    shell.currentDirectoryURL = folder
    shell.standardOutput = output
    try shell.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
    // In this order.
    var rest = Substring(text)
    for sign in [
      "/problems/not-allowed", "HTTP/1.1 200", "Set-Cookie: euripus", #""path":"/lines","value":["Milk"]"#,
      "/problems/credential-replaced", #""isGerman":true,"zone":"Europe/Vienna""#,
    ] {
      guard let found = rest.firstRange(of: sign) else {
        Issue.record("expected '\(sign)' in: \(text)")
        return
      }
      rest = rest[found.upperBound...]
    }
  }

  private func article() throws -> String {
    let root = #filePath.replacing("Tests/EuripusTestingTests/UsersGuideTests.swift", with: "")
    return try String(contentsOfFile: root + "Sources/Euripus/Euripus.docc/Users.md", encoding: .utf8)
  }
}
