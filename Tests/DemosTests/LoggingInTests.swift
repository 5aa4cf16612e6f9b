// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Foundation
import JSONPatching
import Locking
import Testing

@testable import Demos

@Suite(.timeLimit(.minutes(30))) struct `Logging in` {
  private let directory = TemporaryDirectory()
  /// The clock, which the test moves.
  private let time = Locked(ContinuousClock.now)
  private let lines = Locked<[String]>([])

  private static let wrong = "Wrong password. If you are new, choose another name"

  /// - Parameter fails: whether the store is expected to log that it fails.
  private func open(fails: Bool = false) -> UserStore {
    UserStore(directory: directory.path, now: { [time] in time.withLock { $0 } }) { [lines] line in
      if !fails { Issue.record("logged: \(line)") }
      lines.withLock { $0.append(line) }
    }
  }

  private var log: [String] { lines.withLock { $0 } }
  private var file: URL { directory.url.appendingPathComponent(UserStore.file) }
  private var text: String? { try? String(contentsOf: file, encoding: .utf8) }

  private func page(_ users: UserStore, languages: [String] = []) throws -> ModelDriver {
    try ModelDriver(languages: languages) { LoginViewModel(door: LoginDoor($0, users)) }
  }

  private func logIn(_ name: String, _ password: String, on page: ModelDriver) async throws -> String? {
    try page.set("username", name)
    try page.set("password", password)
    try page.perform("loginTouched")
    await page.settled()
    guard case .string(let text)? = page["instruction"] else { return nil }
    return text
  }

  @Test func `tells the success of the document's login, in one revision`() async throws {
    let page = try page(open())
    try page.set("username", "maruko")
    try page.set("password", "123456")
    let revision = page.revision
    _ = page.takeFrame()
    try page.perform("loginTouched")
    await page.settled()
    #expect(page.takeFrame()["patch"] == [["op": "replace", "path": "/instruction", "value": "登录成功(*^▽^*)"]])
    #expect(page.revision == revision + 1)
  }

  @Test func `empties the form of its password in English, and in one revision too`() async throws {
    let page = try page(open(), languages: ["en"])
    try page.set("username", "maruko")
    try page.set("password", "123456")
    let revision = page.revision
    try page.perform("loginTouched")
    await page.settled()
    #expect(page["password"] == "")
    #expect(page["instruction"] == "You are logged in")
    #expect(page["loginEnabled"] == false)
    #expect(page.revision == revision + 1)
  }

  @Test func `asks for a password again once the user has signed out`() async throws {
    let page = try page(open(), languages: ["en"])
    #expect(try await logIn("maruko", "123456", on: page) == "You are logged in")
    page.become(nil)
    #expect(page["instruction"] == "Enter a password")
  }

  @Test func `keeps the marks of the document's messages out of the English ones`() {
    let refusals: [LoginRefusal] = [.wrongPassword, .tooManyTries(seconds: 5), .busy, .full, .tooManyNew, .failed]
    let long = String(repeating: "x", count: 25)
    let names = ["", "mar", long].flatMap { name in ["", "12", long, "123456"].map { LoginWords.en.message(name, $0) } }
    for text in names + refusals.map(LoginWords.en.words(for:)) + [LoginWords.en.success] {
      #expect(!text.isEmpty && !text.contains("*"), "\(text)")
    }
  }

  @Test func `gives a new name to the first user that logs in with it`() async throws {
    let users = open()
    let first = try await users.logIn("maruko", "123456", from: "a")
    #expect(first.name == "maruko")
    await #expect(throws: LoginRefusal.wrongPassword) { try await users.logIn("maruko", "654321", from: "b") }
    #expect(try await users.logIn("maruko", "123456", from: "b") == first)
    #expect(try await users.logIn("temari", "123456", from: "b").id != first.id)
    // Another process opens the same users later.
    #expect(try await open().logIn("maruko", "123456", from: "c") == first)
  }

  @Test func `gives a name to one of two users that come for it at once`() async throws {
    let users = open()
    let passwords = ["123456", "654321"]
    let came = await withTaskGroup { group in
      for password in passwords { group.addTask { try? await users.logIn("maruko", password, from: password) } }
      return await group.reduce(into: [User?]()) { $0.append($1) }
    }
    #expect(came.compactMap(\.self).count == 1)
  }

  @Test func `keeps no password, but a salted hash by Argon2id, for this user of the machine alone`() async throws {
    let users = open()
    _ = try await users.logIn("maruko", "correct horse", from: "")
    _ = try await users.logIn("temari", "correct horse", from: "")
    let text = try #require(text)
    #expect(!text.contains("correct horse"))
    let hashes = text.matches(of: #/\$argon2id\$v=19\$m=65536,t=2,p=1\$[^"]+/#).map { String($0.output) }
    #expect(Set(hashes).count == 2)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `tells a mistake in the language of the page`() async throws {
    let users = open()
    for (languages, wrong, success) in [
      ([], "*密码错误", "登录成功(*^▽^*)"), (["zh-TW", "en"], "*密码错误", "登录成功(*^▽^*)"),
      (["en-GB", "zh"], Self.wrong, "You are logged in"), (["fr", "zh"], Self.wrong, "You are logged in"),
    ] {
      let page = try page(users, languages: languages)
      #expect(try await logIn("maruko", "123456", on: page) == success)
      #expect(try await logIn("maruko", "1234567", on: page) == wrong)
    }
    let page = try page(users, languages: ["en"])
    #expect(page["instruction"] == "Enter a user name")
    try page.perform("speak", "zh")
    #expect(page["instruction"] == "*用户名不能为空")
    try page.prefer(languages: ["en"])
    #expect(page["instruction"] == "*用户名不能为空")
    try page.prefer(languages: ["zh"])
    try page.prefer(languages: ["en"])
    #expect(page["instruction"] == "Enter a user name")
  }

  @Test func `waits longer and longer after five failures, for all clients, and says how long`() async throws {
    let users = open()
    let page = try page(users, languages: ["en"])
    _ = try await logIn("maruko", "123456", on: page)
    for number in 1...5 { #expect(try await logIn("maruko", "wrong\(number)", on: page) == Self.wrong) }
    #expect(try await logIn("maruko", "123456", on: page) == "Too many attempts. Try again in 1 s")
    await #expect(throws: LoginRefusal.tooManyTries(seconds: 1)) {
      try await users.logIn("maruko", "123456", from: "another")
    }
    time.withLock { $0 += .seconds(1) }
    #expect(try await logIn("maruko", "wrong6", on: page) == Self.wrong)
    #expect(try await logIn("maruko", "123456", on: page) == "Too many attempts. Try again in 2 s")
    time.withLock { $0 += .seconds(2) }
    #expect(try await logIn("maruko", "123456", on: page) == "You are logged in")
  }

  @Test func `waits for a client's own failures alone, if it has logged in with the name before`() async throws {
    _ = try await open().logIn("maruko", "123456", from: "own", in: "home")
    // Another process opens the same users later.
    let users = open()
    for number in 1...5 {
      await #expect(throws: LoginRefusal.wrongPassword) {
        try await users.logIn("maruko", "wrong\(number)", from: "thief", in: "home")
      }
    }
    await #expect(throws: LoginRefusal.tooManyTries(seconds: 1)) {
      try await users.logIn("maruko", "123456", from: "another", in: "home")
    }
    #expect(try await users.logIn("maruko", "123456", from: "own", in: "home").name == "maruko")
  }

  /// Writes as many users as there may be, all of whom came last on one day, and one of whom has a note.
  private func fill(usedOn day: Int) throws {
    let users = (0..<UserStore.most).map { number in
      #"{"id":"\#(number)","name":"user \#(number)","since":"","hash":"","note":"\#(number == 0 ? "mine" : "")","#
        + #""usedOn":\#(day)}"#
    }
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    try Data(#"{"format":1,"users":[\#(users.joined(separator: ","))]}"#.utf8).write(to: file)
  }

  @Test func `gives a new user the place of one who has no note and was not there for a month`() async throws {
    try fill(usedOn: 100)
    let day = Locked(100 + UserStore.daysAway)
    let users = UserStore(directory: directory.path, day: { day.withLock { $0 } }) { Issue.record("logged: \($0)") }
    await #expect(throws: LoginRefusal.full) { try await users.logIn("maruko", "123456", from: "a") }
    day.withLock { $0 += 1 }
    #expect(try await users.logIn("maruko", "123456", from: "a").name == "maruko")
    let text = try #require(text)
    #expect(text.contains(#""user 0""#) && !text.contains(#""user 1""#) && text.contains(#""maruko""#))
  }

  @Test func `counts no failure of the server's own`() async throws {
    let users = open(fails: true)
    // A file stands where the directory should be.
    try Data().write(to: directory.url)
    for _ in 1...8 {
      await #expect(throws: LoginRefusal.failed) { try await users.logIn("maruko", "123456", from: "a") }
    }
    #expect(log.count == 8)
    try FileManager.default.removeItem(at: directory.url)
    #expect(try await users.logIn("maruko", "123456", from: "a").name == "maruko")
  }

  @Test func `is for nobody while the file cannot be understood, which stays as it is`() async throws {
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    let wrong = ["not a store", #"{"format":2,"users":[]}"#, #"{"format":1,"users":[{"name":"maruko"}]}"#]
    for (number, written) in wrong.enumerated() {
      try written.write(to: file, atomically: false, encoding: .utf8)
      await #expect(throws: LoginRefusal.failed) { try await open(fails: true).logIn("maruko", "123456", from: "a") }
      #expect(log.count == number + 1)
      #expect(text == written)
    }
  }
}
