// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

/// A piece of work that runs code of an app: a change, a session that is opened or restored, a request to a route, or
/// finding out a user.
package struct Work: Equatable, Sendable {
  /// The marks of the things that a work is a part of; 0 for a thing that there is not.
  package struct Wider: Equatable, Sendable {
    /// The action in its session, with any value.
    var action: UInt64 = 0
    /// The session. For an opening, all openings on the view model.
    var session: UInt64 = 0
    var client: UInt64 = 0
    /// The action in all sessions on its view model, with any value and in any row. For a request to a route,
    /// the route; for `authenticate`, itself.
    var everywhere: UInt64 = 0
  }

  /// A hash of the work, which is the same in every process and never 0. Nothing else of the work's values is
  /// kept.
  let mark: UInt64
  let wider: Wider
  /// The work for people: a verb and a path, without any value.
  let text: String

  init(mark: UInt64, wider: Wider = Wider(), text: String) {
    (self.mark, self.wider, self.text) = (mark, wider, text)
  }

  /// Opening a session on this view model.
  ///
  /// - Parameters:
  ///   - client: the client that opens it; empty if it is not known.
  ///   - address: the address at which it is opened: the view model may trap at one address, and work at all
  ///     others.
  package static func opening(_ model: String, client: String = "", address: JSON? = nil) -> Work {
    let changes = address.map { [Change.address($0)] } ?? []
    return Work(
      "open", "/sessions/\(model)", changes,
      wider: Wider(session: mark("openings", model), client: mark(ofClient: client)))
  }

  /// Restoring a session from its stored state, or showing it later on.
  static func restoring(_ session: String) -> Work { Work("restore", session) }

  /// Answering a request to a route of the app, by its method and path. All requests to a route are the same
  /// work.
  static func answering(_ route: String) -> Work {
    let mark = mark("route", route)
    return Work(mark: mark, wider: Wider(everywhere: mark), text: "answer \(route)")
  }

  /// Finding out the user of a request, by the app's `authenticate`. All requests are the same work.
  static var authenticating: Work {
    let mark = mark("authenticate", "")
    return Work(mark: mark, wider: Wider(everywhere: mark), text: "find out a user")
  }

  /// Whether the work has nothing of its own by which it could be told from many others.
  var isOfMany: Bool { mark == wider.everywhere }

  /// The mark by which a death counts that may be due to the work. It is that of the action in all sessions on
  /// its view model, of all openings on it, of a session's changes if there are several at once, or else of the
  /// work itself.
  var suspicion: UInt64 { [wider.everywhere, wider.session].first { $0 != 0 } ?? mark }

  /// Changing a session. Changes that requests spell in different ways are the same work.
  static func changing(_ session: String, _ changes: [Change], client: String = "") -> Work {
    var wider = Wider(session: mark("session", session), client: mark(ofClient: client))
    guard changes.count == 1 else { return Work("change", session, changes, wider: wider) }
    let change = changes[0]
    var action = Fingerprint()
    action.add("action")
    action.add(session)
    action.add(change.verb.name)
    for token in change.path { action.add(token) }
    wider.action = action.mark
    wider.everywhere = everywhere(change, of: session)
    return Work(change.verb.name, session + "/" + change.path.joined(separator: "/"), changes, wider: wider)
  }

  /// The mark of a change in all sessions. A client chooses the keys of rows, so all keys count as the same.
  private static func everywhere(_ change: Change, of session: String) -> UInt64 {
    var action = Fingerprint()
    action.add("everywhere")
    action.add(String(session[..<(session.lastIndex(of: "/") ?? session.endIndex)]))
    action.add(change.verb.name)
    action.add(change.pathWithoutKeys)
    return action.mark
  }

  private static func mark(ofClient client: String) -> UInt64 { client.isEmpty ? 0 : mark("client", client) }

  private static func mark(_ kind: String, _ name: String) -> UInt64 {
    var fingerprint = Fingerprint()
    fingerprint.add(kind)
    fingerprint.add(name)
    return fingerprint.mark
  }

  private init(_ verb: String, _ path: String, _ changes: [Change] = [], wider: Wider = Wider()) {
    text = "\(verb) \(path)"
    self.wider = wider
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
    case .address: "go to"
    case .prefer: "prefer"
    }
  }

  /// The value of a change. A client that always sends a value sends `null` for none.
  fileprivate var value: JSON {
    switch self {
    case .set(let value), .perform(let value?), .address(let value): value
    case .prefer(let languages, let timeZone):
      .array([.array((languages ?? []).map { .string($0) }), timeZone.map { .string($0) } ?? .null])
    case .perform(nil), .cancel: .null
    }
  }
}
