// SPDX-License-Identifier: MIT
import Demos
import Euripus
import EuripusTesting
import Foundation
import JSONPatching
import Testing

@Suite struct `The login demo` {
  let login: ModelDriver

  init() throws { login = try ModelDriver { LoginViewModel() } }

  private static let long = String(repeating: "x", count: 25)

  @Test func `S0-24 counts UTF-16 units, and 6 to 24 of them are valid`() throws {
    let cases =
      [("12345", false), ("123456", true), (String(repeating: "x", count: 24), true)]
      + [(Self.long, false), ("😀😀😀", true), ("😀😀", false)]
      + [("e\u{301}e\u{301}e\u{301}", true), ("一二三四五", false), ("一二三四五六", true)]
    for (name, isValid) in cases {
      try login.set("username", name)
      #expect(login["usernameValid"] == .bool(isValid), "\(name)")
    }
  }

  @Test(arguments: [("", "不能为空"), ("12345", "必须超过6个字符"), (long, "不能超过24个字符"), ("maruko", nil)])
  func `S0-25 S0-26 S0-27 the name's message comes before the password's, each is judged, and the button needs both`(
    name: String, nameProblem: String?
  ) throws {
    for (password, passwordProblem) in [("", "不能为空"), ("12345", "必须超过6个字符"), (Self.long, "不能超过24个字符"), ("123456", nil)]
    {
      try login.set("username", name)
      try login.set("password", password)
      let expected = nameProblem.map { "*用户名" + $0 } ?? passwordProblem.map { "*密码" + $0 } ?? ""
      #expect(login["instruction"] == .string(expected), "\(name) \(password)")
      #expect(login["usernameValid"] == .bool(nameProblem == nil))
      #expect(login["passwordValid"] == .bool(passwordProblem == nil))
      let isEnabled = nameProblem == nil && passwordProblem == nil
      #expect(login["loginEnabled"] == .bool(isEnabled))
      guard !isEnabled else { continue }
      let before = login.state
      #expect(throws: SurfaceError.self) { try login.perform("loginTouched") }
      #expect(login.state == before)
    }
  }

  @Test func `a name and a password that are long beyond reason are cut, and stay too long`() throws {
    let model = try HostedModelType.hosting { LoginViewModel() }.make(for: "a session")
    let before = model.memoryBytes
    for name in ["username", "password"] {
      try model.apply([.set([name], .string(String(repeating: "x", count: 50_000)))]) { _ in }
    }
    _ = model.stamp(2)
    #expect(model.memoryBytes < before + 10_000)
    try login.set("username", .string(String(repeating: "x", count: 50_000)))
    #expect(login["username"] == .string(String(repeating: "x", count: 300)))
    #expect(login["usernameValid"] == false)
  }

  @Test func `S0-28 the next edit replaces the success, one that changes nothing does not`() throws {
    try login.set("username", "maruko")
    try login.set("password", "123456")
    try login.perform("loginTouched")
    try login.set("username", "maruko")
    #expect(login["instruction"] == "登录成功(*^▽^*)")
    try login.set("username", "maruko2")
    #expect(login["instruction"] == "")
  }

  @Test func `S0-29 the actions copy their value at once, and no view is needed`() throws {
    try login.perform("usernameDidChange", "Maruko")
    #expect(login["username"] == "Maruko")
    try login.perform("passwordDidChange", "x")
    #expect(login["password"] == nil)
    try login.perform("passwordDidChange", "")
    #expect(login["password"] == "")
  }

  @Test
  func `S0-D4 the view model takes at most 40 lines, and with its page 150 of the original's 211 and 325`() throws {
    let root = #filePath.replacing("Tests/DemosTests/LoginTests.swift", with: "")
    let lines = try ["Demos/Login/LoginViewModel.swift", "Public/login.html"].map { path in
      let text = try String(contentsOfFile: root + path, encoding: .utf8)
      return text.split(separator: "\n").count { !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }
    }
    // The document's page has 211 lines without the pattern and 325 with it.
    #expect(lines[0] + lines[1] <= 150)
    #expect(lines[0] <= 40)
  }
}
