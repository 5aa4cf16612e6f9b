// SPDX-License-Identifier: MIT
import EventSequences
import ObservableCore
import Testing

/// The document's sign-up page: a user name, a password and a button. Its rules are claims of the demo.
final class SignUp {
  static let minimalLength = 5

  // The user's side.
  let username = Observable("")
  let password = Observable("")

  // The view's side.
  let usernameHintHidden = Observable(false)
  let passwordEnabled = Observable(false)
  let buttonEnabled = Observable(true)

  private(set) var usernameChecks = 0
  /// Every pair from which the button's state was made.
  private(set) var pairs: [[Bool]] = []
  private let bag = DisposeBag()

  init() {
    let usernameValid = username.asSequence().map { [unowned self] in
      usernameChecks += 1
      return $0.count >= Self.minimalLength
    }.share(replay: 1)
    let passwordValid = password.asSequence().map { $0.count >= Self.minimalLength }
    usernameValid.bind(to: usernameHintHidden).disposed(by: bag)
    usernameValid.bind(to: passwordEnabled).disposed(by: bag)
    EventSequence.combineLatest(usernameValid, passwordValid) { [unowned self] in
      pairs.append([$0, $1])
      return $0 && $1
    }.bind(to: buttonEnabled).disposed(by: bag)
  }
}

@Suite struct `The sign-up page, written with sequences` {
  let page = SignUp()

  @Test func `S3-12 three observers of the user name's validity cost one check a change`() {
    #expect(page.usernameChecks == 1)
    page.username.value = "maruko"
    #expect((page.usernameHintHidden.value, page.passwordEnabled.value) == (true, true))
    page.username.value = "maru"
    #expect((page.usernameHintHidden.value, page.passwordEnabled.value) == (false, false))
    #expect(page.usernameChecks == 3)
  }

  @Test func `S3-13 one transaction that fills in both passes through an inconsistent pair with sequences`() throws {
    #expect(!page.buttonEnabled.value)
    try transaction {
      page.username.value = "maruko"
      page.password.value = "12345"
    }
    #expect(page.pairs == [[false, false], [true, false], [true, true]])
    #expect(page.buttonEnabled.value)
  }

  @Test func `S3-13 with a Computed there is no inconsistent pair`() throws {
    let (username, password) = (Observable(""), Observable(""))
    let usernameValid = Computed { username.value.count >= SignUp.minimalLength }
    let passwordValid = Computed { password.value.count >= SignUp.minimalLength }
    var pairs: [[Bool]] = []
    let everythingValid = Computed {
      pairs.append([usernameValid.value, passwordValid.value])
      return usernameValid.value && passwordValid.value
    }
    var told: [Bool] = []
    everythingValid.asSequence().subscribe { told.append($0) }
    try transaction {
      username.value = "maruko"
      password.value = "12345"
    }
    #expect(pairs == [[false, false], [true, true]])
    #expect(told == [false, true])
  }

  @Test func `S3-13 a diamond of sequences sends a mixed pair for each element, one of computeds none`() {
    let source = Observable(1)
    let (tens, hundreds) = (Computed { source.value * 10 }, Computed { source.value * 100 })
    let mixed = Recorder<String>()
    EventSequence.combineLatest(tens.asSequence(), hundreds.asSequence()) { "\($0),\($1)" }.subscribe(mixed)
    let clean = Recorder<String>()
    let pair = Computed { "\(tens.value),\(hundreds.value)" }
    pair.asSequence().subscribe(clean)
    source.value = 2
    #expect(mixed.text == "10,100 20,100 20,200")
    #expect(clean.text == "10,100 20,200")
  }
}
