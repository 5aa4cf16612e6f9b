// SPDX-License-Identifier: MIT
import EventSequences
import ObservableCore
import Testing

/// The document's sign-up page: a user name, a password, a hint for each, a button and an alert.
final class SignUp {
  struct Alert: Equatable {
    let title, text, button: String
  }

  static let minimalLength = 5

  // The user's side.
  let username = Observable("", name: "username")
  let password = Observable("", name: "password")
  let tap = PublishSubject<Void>()

  // The view's side.
  let usernameHintHidden = Observable(false)
  let passwordEnabled = Observable(false)
  let passwordHintHidden = Observable(false)
  let buttonEnabled = Observable(true)
  let alert = Observable<Alert?>(nil)

  private(set) var usernameChecks = 0
  /// Every pair from which `everythingValid` was made.
  private(set) var pairs: [[Bool]] = []
  private let bag = DisposeBag()

  init() {
    let usernameValid = username.asSequence().map { [unowned self] in
      usernameChecks += 1
      return $0.count >= Self.minimalLength
    }.share(replay: 1)
    let passwordValid = password.asSequence().map { $0.count >= Self.minimalLength }.share(replay: 1)
    let everythingValid = EventSequence.combineLatest(usernameValid, passwordValid) { [unowned self] in
      pairs.append([$0, $1])
      return $0 && $1
    }.share(replay: 1)

    usernameValid.bind(to: passwordEnabled).disposed(by: bag)
    usernameValid.bind(to: usernameHintHidden).disposed(by: bag)
    passwordValid.bind(to: passwordHintHidden).disposed(by: bag)
    everythingValid.bind(to: buttonEnabled).disposed(by: bag)
    let alert = Alert(title: "RxExample", text: "This is wonderful", button: "Ok")
    tap.sequence.filter { [unowned self] in buttonEnabled.value }
      .bind(to: Binder(self) { me, _ in me.alert.value = alert }).disposed(by: bag)
  }
}

@Suite struct `The sign-up page, written with sequences` {
  let page = SignUp()

  @Test func `S3-10 at first both hints are shown, and the password and the button are disabled`() {
    #expect((page.usernameHintHidden.value, page.passwordHintHidden.value) == (false, false))
    #expect((page.passwordEnabled.value, page.buttonEnabled.value) == (false, false))
  }

  @Test(arguments: [("", false), ("abcd", false), ("abcde", true), ("abcdef", true), ("👨‍👩‍👧‍👦🇨🇳é用名", true), ("👨‍👩‍👧‍👦", false)])
  func `S3-7 a user name of 5 characters hides its hint and enables the password`(_ name: String, _ isValid: Bool) {
    page.username.value = name
    #expect((page.usernameHintHidden.value, page.passwordEnabled.value) == (isValid, isValid))
    #expect((page.passwordHintHidden.value, page.buttonEnabled.value) == (false, false))
  }

  @Test(arguments: [("1234", false), ("12345", true)])
  func `S3-8 a password of 5 characters hides its hint`(_ password: String, _ isValid: Bool) {
    page.password.value = password
    #expect(page.passwordHintHidden.value == isValid)
    #expect((page.usernameHintHidden.value, page.buttonEnabled.value) == (false, false))
  }

  @Test func `S3-9 the button is enabled only while both are valid`() {
    var enabled: [Bool] = []
    page.buttonEnabled.addObserver(Observer { enabled.append($0) })
    page.username.value = "maruko"
    page.password.value = "12345"
    page.username.value = "maru"
    page.username.value = "maruko"
    page.password.value = ""
    #expect(enabled == [true, false, true, false])
  }

  @Test func `S3-11 a tap shows the alert, if the button is enabled`() {
    page.tap.onNext()
    #expect(page.alert.value == nil)
    page.username.value = "maruko"
    page.password.value = "12345"
    page.tap.onNext()
    #expect(page.alert.value == SignUp.Alert(title: "RxExample", text: "This is wonderful", button: "Ok"))
  }

  @Test func `S3-12 three observers of the user name's validity cost one check a change`() {
    #expect(page.usernameChecks == 1)
    page.username.value = "maruko"
    page.username.value = "maru"
    #expect(page.usernameChecks == 3)
  }

  @Test func `S3-13 one transaction that fills in both passes through an inconsistent pair with sequences`() throws {
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
