// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@testable import Demos

@Suite struct `The sign-up demo` {
  let page: ModelDriver

  init() throws { page = try ModelDriver { SignUpViewModel() } }

  static let usernameHint: JSON = "Use at least 5 characters"
  static let passwordHint: JSON = "Use at least 5 characters"

  @Test func `S3-10 at first both hints are shown, and the form is not valid`() {
    let bounds: JSON = ["required": true, "minlength": 5]
    #expect(
      page.state == [
        "username": ["value": "", "error": .null, "touched": false, "bounds": bounds],
        "password": ["value": "", "error": .null, "touched": false, "bounds": bounds],
        "usernameHint": Self.usernameHint, "passwordHint": Self.passwordHint, "everythingValid": false, "alert": .null,
      ])
  }

  static let lengths: [(text: String, isValid: Bool)] = [
    ("", false), ("abcd", false), ("abcde", true), ("abcdef", true), ("用户名用", false), ("用户名用户", true),
    ("👨‍👩‍👧‍👦", false), ("👨‍👩‍👧‍👦🇨🇳é用名", true), ("e\u{301}e\u{301}e\u{301}e\u{301}", false),
  ]

  @Test(arguments: lengths)
  func `S3-7 a name of five characters hides its hint and opens the password`(_ name: String, _ isValid: Bool) throws {
    try page.set("username/value", .string(name))
    #expect(page["usernameHint"] == (isValid ? .null : Self.usernameHint))
    #expect(page["passwordHint"] == Self.passwordHint)
    if isValid {
      try page.set("password/value", "x")
      #expect(page["password"]?["value"] == nil)
    } else {
      #expect(throws: SurfaceError.self) { try page.set("password/value", "x") }
      #expect(page["password/value"] == "")
    }
  }

  @Test(arguments: lengths)
  func `S3-8 a password of five characters hides its hint`(_ password: String, _ isValid: Bool) throws {
    try page.set("username/value", "maruko")
    try page.set("password/value", .string(password))
    #expect(page["passwordHint"] == (isValid ? .null : Self.passwordHint))
  }

  @Test func `S3-9 the button is enabled only while both are valid, and refused otherwise`() throws {
    let steps: [(path: String, text: JSON, isEnabled: Bool)] = [
      ("username/value", "maruko", false), ("password/value", "12345", true), ("username/value", "maru", false),
      ("username/value", "maruko", true), ("password/value", "1234", false),
    ]
    for (path, text, isEnabled) in steps {
      try page.set(path, text)
      #expect(page["everythingValid"] == .bool(isEnabled))
      if !isEnabled {
        #expect(throws: SurfaceError.self) { try page.perform("signUp") }
        #expect(page["alert"] == .null)
      }
    }
  }

  @Test func `S3-11 a tap shows the alert until it is closed`() throws {
    try page.set("username/value", "maruko")
    try page.set("password/value", "12345")
    #expect(throws: SurfaceError.self) { try page.perform("alert/close") }
    for _ in 1...2 {
      try page.perform("signUp")
      #expect(page["alert"] == ["title": "RxExample", "text": "This is wonderful", "button": "Ok"])
      try page.perform("alert/close")
      #expect(page["alert"] == .null)
    }
  }
}
