// SPDX-License-Identifier: MIT
import Euripus

/// The language of the login's messages: the document's own, or English.
enum LoginWords: String, CaseIterable, JSONRepresentable {
  case zh, en

  static let document = zh

  /// The document's for a client that prefers Chinese or names no language, English for all others.
  ///
  /// - Parameter languages: tags of BCP 47, the most wanted first.
  init(for languages: [String]) {
    let first = languages.first?.lowercased().split(separator: "-").first
    self = first == nil || first == "zh" ? .document : .en
  }

  /// The message of the page: the first fault there is, the name's before the password's. A form without a password is no
  /// fault of the user whom it has logged in.
  ///
  /// - Parameter welcomed: the name of that user, if there is one.
  func message(_ username: String, _ password: String, _ welcomed: String? = nil) -> String {
    if username == welcomed, password.isEmpty { return success }
    return LoginFault(in: username).map { words(for: $0, in: text("用户名", "user name")) }
      ?? LoginFault(in: password).map { words(for: $0, in: text("密码", "password")) } ?? ""
  }

  private func words(for fault: LoginFault, in field: String) -> String {
    switch fault {
    case .empty: text("*\(field)不能为空", "Enter a \(field)")
    case .short: text("*\(field)必须超过6个字符", "Use at least 6 characters for the \(field)")
    case .long: text("*\(field)不能超过24个字符", "Use at most 24 characters for the \(field)")
    }
  }

  var success: String { text("登录成功(*^▽^*)", "You are logged in") }

  func words(for refusal: LoginRefusal) -> String {
    switch refusal {
    case .wrongPassword: text("*密码错误", "Wrong password. If you are new, choose another name")
    case .tooManyTries(let seconds): text("*尝试次数过多，请\(seconds)秒后再试", "Too many attempts. Try again in \(seconds) s")
    case .busy: text("*登录人数过多，请稍后再试", "Too many people are logging in. Try again soon")
    case .full: text("*用户数已达上限", "No room for new accounts. Log in to an existing one")
    case .tooManyNew: text("*今天此处的新用户过多", "Too many new accounts from your network. Try again tomorrow")
    case .failed: text("*登录失败，请再试一次", "Login failed. Try again")
    }
  }

  private func text(_ document: String, _ english: String) -> String { self == .en ? english : document }
}

/// The fault of a name or a password.
enum LoginFault {
  case empty, short, long

  /// Gives `nil` for a text without one.
  init?(in text: String) {
    switch text.utf16.count {
    case 0: self = .empty
    case ..<6: self = .short
    case ...24: return nil
    default: self = .long
    }
  }
}
