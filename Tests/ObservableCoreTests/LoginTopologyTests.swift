// SPDX-License-Identifier: MIT
import ObservableCore
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
}
