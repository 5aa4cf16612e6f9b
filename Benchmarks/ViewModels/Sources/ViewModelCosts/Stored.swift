// SPDX-License-Identifier: MIT
import Euripus

/// A login like that of the demos: two fields, and four combiners of them.
private final class Login: ViewModel {
  let username = Observable("Maruko")
  let password = Observable("")
  let usernameValid = ObservableCombiner<Bool>(.every, true)
  let passwordValid = ObservableCombiner<Bool>(.every, false)
  let loginEnabled = ObservableCombiner<Bool>(.every, false)
  let instruction = ObservableCombiner<String>(.every, "the password is empty")

  init() {
    usernameValid.combine(username).handle { $0.count > 5 }
    passwordValid.combine(password).handle { $0.count > 5 }
    loginEnabled.combine(usernameValid, passwordValid).handle { $0 && $1 }
    instruction.combine(username, password).handle { "\($0.count) \($1.count)" }
  }

  static let surface = Surface<Login>(
    "login", .twoWay("username", \.username), .secret("password", \.password), .value("instruction", \.instruction),
    .value("usernameValid", \.usernameValid), .value("passwordValid", \.passwordValid),
    .value("loginEnabled", \.loginEnabled))
}

/// A list of things to do.
private final class Todo: ViewModel {
  final class Item: ViewModel {
    let text = Observable("Buy milk")
    let done = Observable(false)
    static let surface = Surface<Item>("item", .value("text", \.text), .twoWay("done", \.done))
  }

  let items = KeyedList<Item>()
  init(_ count: Int) { for key in 0..<count { items.append(Item(), key: "\(key)") } }
  static let surface = Surface<Todo>("todo", .list("items", \.items) { _, _ in Item() })
}

/// The view models by name: a full one whose state is stored, and an empty one into which that state is put back.
private let stored: [String: (full: HostedModelType, empty: HostedModelType)] = [
  "login": (.hosting { Login() }, .hosting { Login() }), "rows": (.hosting { Todo(1_000) }, .hosting { Todo(0) }),
]

private func text(_ model: any HostedModel) -> [UInt8] {
  var writer = JSONWriter(capacity: 384)
  model.writeStored(to: &writer)
  return writer.bytes
}

/// Measures the storing and the putting back of a state: that of a login, and that of 1,000 rows. None of the rows is
/// there when the view model is made.
func measureStored() throws {
  for (name, types) in stored.sorted(by: { $0.key < $1.key }) {
    let model = try types.full.make(for: "a session")
    let bytes = text(model)
    let json = try JSONReader.read(bytes, limits: .init(nodes: .max))
    let clock = ContinuousClock()
    let writing = (0..<501).map { _ in clock.measure { _ = text(model) } }
    let making = try (0..<51).map { _ in try clock.measure { _ = try types.empty.make(for: "a session") } }
    let restoring = try (0..<51).map { _ in
      try clock.measure { _ = try types.empty.restore(json, schema: 1, for: "a session") }
    }
    print(
      "stored state of \(name): \(bytes.count) bytes, written in \(microseconds(median(writing))) us; made in "
        + "\(microseconds(median(making))) us, with it put back in \(microseconds(median(restoring))) us")
  }
}

/// Writes a stored state `iterations` times, for callgrind to count.
func writeStored(_ name: String, _ iterations: Int) throws {
  guard let model = try stored[name]?.full.make(for: "a session") else {
    return print("expected login or rows, got \(name)")
  }
  for _ in 0..<iterations { _ = text(model) }
}
