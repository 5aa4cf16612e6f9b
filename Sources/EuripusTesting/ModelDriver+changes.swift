// SPDX-License-Identifier: MIT
public import JSONPatching
import Locking
import Sessions

/// The changes that a client sees.
extension ModelDriver {
  /// The paths of the values that have changed since the last call, in the order of the state.
  public func takeChanges() -> [String] {
    let (json, version) = entering { ($0.opened(url: "").json, $0.version) }
    TestObservation.current?.message(json, of: number)
    let state = JSON.shown(json)["state"] ?? .null
    let before = seen.withLock { seen in
      defer { seen = (state, version) }
      return seen.state
    }
    return Self.differences(before, state, [])
  }

  /// The frame that brings a client up to date: one that has the state of the last call of this or of
  /// ``takeChanges()``, at first the state of the opening.
  ///
  /// It is `{"from":V,"to":V,"patch":[…]}`, or `{"from":V,"to":V,"state":{…}}` where the patch would be longer than the
  /// state. If nothing has changed, both versions are the same and the patch is empty (PROTOCOL §5, §6).
  public func takeFrame() -> JSON {
    let since = seen.withLock { $0.version }
    let (frame, json, version) = entering { session in
      (session.poll(since: since), session.opened(url: "").json, session.version)
    }
    seen.withLock { $0 = (JSON.shown(json)["state"] ?? .null, version) }
    TestObservation.current?.message(json, of: number)
    if case .changed(let message) = frame {
      TestObservation.current?.message(message.json, of: number)
      return JSON.shown(message.json)
    }
    return ["from": .string("\(since)"), "to": .string("\(since)"), "patch": []]
  }

  private static func differences(_ old: JSON, _ new: JSON, _ path: [String]) -> [String] {
    guard case .object(let before) = old, case .object(let after) = new else {
      return old == new ? [] : [JSONPointer(path).description.dropFirst()].map(String.init)
    }
    let names = after.map(\.name) + before.map(\.name).filter { name in !after.contains { $0.name == name } }
    return names.flatMap { name -> [String] in
      guard let old = old[name], let new = new[name] else {
        return ["\(JSONPointer(path + [name]))"].map { String($0.dropFirst()) }
      }
      return differences(old, new, path + [name])
    }
  }
}
