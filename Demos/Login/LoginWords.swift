// SPDX-License-Identifier: MIT
import Euripus

/// The language of the login's messages: the document's own, or English.
enum LoginWords: String, CaseIterable, JSONRepresentable {
  case zh, en

  static let document = zh

  /// English for a client that prefers it; for all others the document's.
  ///
  /// - Parameter languages: tags of BCP 47, the most wanted first.
  init(for languages: [String]) {
    self = languages.first?.lowercased().split(separator: "-").first == "en" ? .en : .document
  }

  /// The message of the page: the first fault there is, the name's before the password's.
  func message(_ username: String, _ password: String) -> String {
    LoginFault(in: username).map { text("*用户名", "*The user name ") + words(for: $0) }
      ?? LoginFault(in: password).map { text("*密码", "*The password ") + words(for: $0) } ?? ""
  }

  private func words(for fault: LoginFault) -> String {
    switch fault {
    case .empty: text("不能为空", "is missing")
    case .short: text("必须超过6个字符", "takes 6 characters or more")
    case .long: text("不能超过24个字符", "takes 24 characters at most")
    }
  }

  var success: String { text("登录成功(*^▽^*)", "You are logged in (*^▽^*)") }

  func words(for refusal: LoginRefusal) -> String {
    switch refusal {
    case .wrongPassword: text("*密码错误", "*The name is taken, and the password is not its own")
    case .tooManyTries(let seconds): text("*尝试次数过多，请\(seconds)秒后再试", "*Too many tries: try again in \(seconds) s")
    case .busy: text("*登录人数过多，请稍后再试", "*Too many people log in just now: try again soon")
    case .full: text("*用户数已达上限", "*There are as many users as there may be")
    case .tooManyNew: text("*今天此处的新用户过多", "*Too many new users come from here today")
    case .failed: text("*登录失败，请再试一次", "*That did not work: try again")
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
