// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

/// A piece of work that runs code of an app: a change, a session that is opened or restored, a request to a route, or
/// finding out a user.
package struct Work: Equatable, Sendable {
  /// A hash of the work, which is the same in every process and never 0. Nothing else of the work's values is
  /// kept.
  let mark: UInt64
  /// The mark of the client that has asked for it; 0 if it is not known.
  let clientMark: UInt64
  /// The mark of its action in all sessions on its view model, with any value and in any row. For an opening, that of
  /// all openings on the view model; for several changes at once, of all such changes of their session; for restoring, of
  /// the session; for a request to a route, of the route.
  let actionMark: UInt64
  /// The work for people: a verb and a path, without any value.
  let text: String

  /// The marks by which it may be refused.
  var marks: [UInt64] { [mark, clientMark, actionMark] }

  init(mark: UInt64, clientMark: UInt64 = 0, actionMark: UInt64, text: String) {
    (self.mark, self.clientMark, self.actionMark, self.text) = (mark, clientMark, actionMark, text)
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
      client: client, actionMark: mark("openings", model))
  }

  /// Restoring a session from its stored state, or showing it later on.
  static func restoring(_ session: String) -> Work { Work("restore", session, actionMark: mark("restoring", session)) }

  /// Answering a request to a route of the app, by its method and path. All requests to a route are the same
  /// work.
  static func answering(_ route: String) -> Work {
    let mark = mark("route", route)
    return Work(mark: mark, actionMark: mark, text: "answer \(route)")
  }

  /// Finding out the user of a request, by the app's `authenticate`. All requests are the same work.
  static var authenticating: Work {
    let mark = mark("authenticate", "")
    return Work(mark: mark, actionMark: mark, text: "find out a user")
  }

  /// Whether the work has nothing of its own by which it could be told from many others.
  var isOfMany: Bool { mark == actionMark }

  /// Changing a session. Changes that requests spell in different ways are the same work.
  static func changing(_ session: String, _ changes: [Change], client: String = "") -> Work {
    guard changes.count == 1 else {
      return Work("change", session, changes, client: client, actionMark: mark("changes", session))
    }
    let path = session + "/" + changes[0].path.joined(separator: "/")
    return Work(changes[0].verb.name, path, changes, client: client, actionMark: actionMark(changes[0], of: session))
  }

  /// The mark of a change in all sessions. A client chooses the keys of rows, so all keys count as the same.
  private static func actionMark(_ change: Change, of session: String) -> UInt64 {
    var action = Fingerprint()
    action.add("action")
    action.add(String(session[..<(session.lastIndex(of: "/") ?? session.endIndex)]))
    action.add(change.verb.name)
    action.add(change.pathWithoutKeys)
    return action.mark
  }

  private static func mark(_ kind: String, _ name: String) -> UInt64 {
    var fingerprint = Fingerprint()
    fingerprint.add(kind)
    fingerprint.add(name)
    return fingerprint.mark
  }

  private init(_ verb: String, _ path: String, _ changes: [Change] = [], client: String = "", actionMark: UInt64) {
    text = "\(verb) \(path)"
    clientMark = client.isEmpty ? 0 : Self.mark("client", client)
    self.actionMark = actionMark
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
    case .uploads: "uploads"
    }
  }

  /// The value of a change. A client that always sends a value sends `null` for none.
  fileprivate var value: JSON {
    switch self {
    case .set(let value), .perform(let value?), .address(let value): value
    case .prefer(let languages, let timeZone):
      .array([.array((languages ?? []).map { .string($0) }), timeZone.map { .string($0) } ?? .null])
    case .perform(nil), .cancel, .uploads: .null
    }
  }
}
