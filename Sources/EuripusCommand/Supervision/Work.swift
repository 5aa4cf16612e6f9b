// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

/// Something that has code of a view model run: a change, or a session that is opened or restored.
struct Work: Equatable, Sendable {
  /// A hash of the work, the same in every process; never 0. Of values there is nothing else.
  let mark: UInt64
  /// For people: a verb and a path, without any value.
  let text: String

  init(mark: UInt64, text: String) {
    self.mark = mark
    self.text = text
  }

  /// A session that is opened on this model, by whichever client.
  static func opening(_ model: String) -> Work { Work("open", "/sessions/\(model)") }

  /// A session that is made again from what is stored, or shown later on.
  static func restoring(_ session: String) -> Work { Work("restore", session) }

  /// Changes of a session: the same ones however a request spelled them.
  static func changing(_ session: String, _ changes: [Change]) -> Work {
    guard changes.count == 1 else { return Work("change", session, changes) }
    return Work(changes[0].verb.name, session + "/" + changes[0].path.joined(separator: "/"), changes)
  }

  private init(_ verb: String, _ path: String, _ changes: [Change] = []) {
    text = "\(verb) \(path)"
    var fingerprint = Fingerprint()
    fingerprint.add(text)
    for change in changes {
      fingerprint.add(change.verb.name)
      fingerprint.add(change.path.count)
      for token in change.path { fingerprint.add(token) }
      fingerprint.add(change.verb.value)
    }
    mark = fingerprint.mark
  }
}

extension Change.Verb {
  fileprivate var name: String {
    switch self {
    case .set: "set"
    case .perform: "perform"
    case .cancel: "cancel"
    }
  }

  /// `null` is how a client that always sends a value says that there is none.
  fileprivate var value: JSON {
    switch self {
    case .set(let value), .perform(let value?): value
    case .perform(nil), .cancel: .null
    }
  }
}
