// SPDX-License-Identifier: MIT
import ObservableCore
import Seeded
import Testing

@Suite struct `The login page's topologies` {
  enum Step: Equatable { case username(String), password(String), tap }

  static let golden: [(Step, String, Bool)] = [
    (.username("maruko"), "*密码不能为空", false),
    (.password("1234"), "*密码必须超过6个字符", false),
    (.password("123456"), "", true),
    (.tap, "登录成功(*^▽^*)", true),
    (.username("mar"), "*用户名必须超过6个字符", false),
    (.password("12"), "*用户名必须超过6个字符", false),
    (.username("maruko"), "*密码必须超过6个字符", false),
    (.password("123456"), "", true),
    (.username(""), "*用户名不能为空", false),
    (.password(""), "*用户名不能为空", false),
    (.username(String(repeating: "x", count: 25)), "*用户名不能超过24个字符", false),
    (.username("maruko"), "*密码不能为空", false),
    (.password(String(repeating: "y", count: 25)), "*密码不能超过24个字符", false),
    (.password("123456"), "", true),
  ]

  /// Makes a login. The test has to close its graph, as combiners in a circle keep each other alive.
  static func make(_ isCyclic: Bool) -> (login: LoginTopology, graph: Graph) {
    let graph = Graph()
    return (graph.enter { isCyclic ? CyclicLogin() : AcyclicLogin() }, graph)
  }

  /// In the original the document's combiners run 35 times, the acyclic ones 24 and 13 times.
  @Test(arguments: [(isCyclic: true, calls: 35, instructionCalls: 0), (false, 24, 13)])
  func `S0-22 S0-30 S0-D3 both go through the golden script, with no more runs than the original, and no output twice`(
    isCyclic: Bool, calls: Int, instructionCalls: Int
  ) {
    let (login, graph) = Self.make(isCyclic)
    defer { graph.close() }
    var told: [String] = []
    func listen<Value>(_ name: String, to output: Observable<Value>) {
      output.addObserver(Observer { _ in told.append(name) })
    }
    listen("username", to: login.username)
    listen("password", to: login.password)
    listen("instruction", to: login.instruction)
    listen("usernameValid", to: login.usernameValid)
    listen("passwordValid", to: login.passwordValid)
    listen("loginEnabled", to: login.loginEnabled)
    for (step, instruction, isEnabled) in Self.golden {
      told = []
      switch step {
      case .username(let text): login.username.value = text
      case .password(let text): login.password.value = text
      case .tap: login.tap()
      }
      #expect(login.instruction.value == instruction, "\(step)")
      #expect(login.loginEnabled.value ?? false == isEnabled, "\(step)")
      #expect(Set(told).count == told.count, "\(step): \(told)")
    }
    #expect(login.calls <= calls && login.instructionCalls == instructionCalls)
  }

  /// `EURIPUS_SCRIPTS` is the number of scripts; `make test-long` has 20,000.
  @Test(arguments: [true, false])
  func `S0-22 random scripts come to the result of the plain rule`(isCyclic: Bool) throws {
    let seed: UInt64 = 20_210_517
    var generator = SeededGenerator(seed: seed)
    let lengths = [0, 1, 5, 6, 7, 23, 24, 25, 30]
    func text() -> String {
      String(
        repeating: "用xé😀".randomElement(using: &generator) ?? "x", count: lengths.randomElement(using: &generator) ?? 0)
    }
    var differences = 0
    for _ in 0..<`Random scripts`.count(orElse: 2_000) {
      let (login, graph) = Self.make(isCyclic)
      defer { graph.close() }
      // Both texts have been edited once, as the rule has no state for a text that was never edited.
      var (username, password) = (text() + "a", text() + "b")
      try transaction {
        login.username.value = username
        login.password.value = password
      }
      var instruction = LoginRule.instruction(username, password)
      for _ in 0..<6 {
        let (oldUsername, oldPassword) = (username, password)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0..<3:
          username = text()
          login.username.value = username
        case 3..<6:
          password = text()
          login.password.value = password
        case 6:
          (username, password) = (text(), text())
          try transaction {
            login.password.value = password
            login.username.value = username
          }
        default:
          // A button that is not enabled cannot be clicked (S0-27).
          guard login.loginEnabled.value == true else { continue }
          login.tap()
          instruction = "登录成功(*^▽^*)"
        }
        if (oldUsername, oldPassword) != (username, password) {
          instruction = LoginRule.instruction(username, password)
        }
        let isRight =
          login.instruction.value == instruction
          && login.usernameValid.value == LoginRule.isValid(username)
          && login.passwordValid.value == LoginRule.isValid(password)
          && login.loginEnabled.value == (LoginRule.isValid(username) && LoginRule.isValid(password))
        if !isRight { differences += 1 }
      }
    }
    #expect(differences == 0, "seed \(seed)")
  }
}
