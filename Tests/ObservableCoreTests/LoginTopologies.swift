// SPDX-License-Identifier: MIT
import ObservableCore

/// The rule of the login page as a plain function. Every topology must come to its result (S0-24, S0-25).
enum LoginRule {
  static func isValid(_ text: String) -> Bool { (6...24).contains(text.utf16.count) }

  static func instruction(_ username: String, _ password: String) -> String {
    if username.isEmpty { return "*用户名不能为空" }
    if username.utf16.count < 6 { return "*用户名必须超过6个字符" }
    if username.utf16.count > 24 { return "*用户名不能超过24个字符" }
    if password.isEmpty { return "*密码不能为空" }
    if password.utf16.count < 6 { return "*密码必须超过6个字符" }
    if password.utf16.count > 24 { return "*密码不能超过24个字符" }
    return ""
  }
}

class LoginTopology {
  let username = Observable("", name: "username")
  let password = Observable("", name: "password")
  let instruction: Observable<String>
  let usernameValid = ObservableCombiner<Bool?>(.every, name: "usernameValid")
  let passwordValid = ObservableCombiner<Bool?>(.every, name: "passwordValid")
  let loginEnabled = ObservableCombiner<Bool?>(.every, name: "loginEnabled")
  var calls = 0
  var instructionCalls = 0

  init(instruction: Observable<String>) { self.instruction = instruction }

  func tap() { instruction.value = "登录成功(*^▽^*)" }
}

/// The login as the document weaves it. `usernameValid` and `passwordValid` feed each other, and set the
/// instruction on the way.
final class CyclicLogin: LoginTopology {
  init() {
    let text = Observable("", name: "instruction")
    super.init(instruction: text)
    usernameValid.combine(username).combine(passwordValid).handle { [unowned self] username, passwordValid in
      calls += 1
      guard LoginRule.isValid(username) else {
        text.value = LoginRule.instruction(username, "")
        return false
      }
      if passwordValid == true { text.value = "" }
      return true
    }
    passwordValid.combine(usernameValid).combine(password).handle { [unowned self] usernameValid, password in
      calls += 1
      if usernameValid == true { text.value = LoginRule.instruction("maruko", password) }
      return LoginRule.isValid(password)
    }
    loginEnabled.combine(usernameValid).combine(passwordValid).handle { [unowned self] in
      calls += 1
      return $0 == true && $1 == true
    }
  }
}

/// The login as the demo weaves it. There is no cycle, and the instruction is a combiner of its own.
final class AcyclicLogin: LoginTopology {
  init() {
    let text = ObservableCombiner<String>(.every, "", name: "instruction")
    super.init(instruction: text)
    usernameValid.combine(username).handle { [unowned self] in
      calls += 1
      return LoginRule.isValid($0)
    }
    passwordValid.combine(password).handle { [unowned self] in
      calls += 1
      return LoginRule.isValid($0)
    }
    loginEnabled.combine(usernameValid).combine(passwordValid).handle { [unowned self] in
      calls += 1
      return $0 == true && $1 == true
    }
    text.combine(username).combine(password).handle { [unowned self] in
      instructionCalls += 1
      return LoginRule.instruction($0, $1)
    }
  }
}
