// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching

/// A client by PROTOCOL.md: the state that it holds, the operations that it wants done, and its reading of each answer.
struct Follower {
  /// The fault of a follower that is a control.
  enum Fault { case appliesWhatDoesNotFit, takesOldStates, goesBackToAnEpoch }

  let index: Int
  private(set) var version: String
  private(set) var state: JSON
  /// The requests that it has made and does not know to be decided, oldest first.
  private(set) var outstanding: [Operation] = []
  private(set) var lastNumber: UInt64 = 0
  private(set) var isClosed = false
  private let fault: Fault?

  init(index: Int, snapshot: JSON, fault: Fault?) {
    self.index = index
    self.fault = fault
    state = snapshot["state"] ?? .null
    version = snapshot["version"]?.text ?? ""
  }

  mutating func wants(_ operation: Operation) {
    lastNumber = operation.number
    outstanding.append(operation)
  }

  /// Takes the answer to an operation of its own.
  ///
  /// - Parameter held: the version that the client held when it sent the request.
  mutating func take(_ answer: TestClient.Response, to operation: Operation, held: String) throws {
    switch answer.status {
    case 204: isClosed = true
    case 410:
      isClosed = true
      return
    case 200: try take(frame: answer.json ?? .null, held: held)
    // The session has decided it: it is not done, and never will be.
    case 500 where answer.problem == "internal": break
    case 422 where answer.problem == "invalid-action": break
    case 409 where answer.problem != "out-of-order": break
    default: return
    }
    outstanding.removeAll { $0.id == operation.id }
  }

  /// Takes the answer to a poll.
  mutating func takePoll(_ answer: TestClient.Response, held: String) throws {
    switch answer.status {
    case 200: try take(frame: answer.json ?? .null, held: held)
    case 410: isClosed = true
    default: break
    }
  }

  /// The second idea of PROTOCOL.md.
  mutating func take(frame json: JSON, held: String) throws {
    guard let to = json["to"]?.text else { return }
    if let patch = json["patch"] {
      guard json["from"]?.text == version || fault == .appliesWhatDoesNotFit else { return }
      do { state = try state.applying([PatchOperation](json: patch)) } catch {
        if fault != .appliesWhatDoesNotFit { throw error }
      }
      version = to
    } else if let newState = json["state"] {
      guard isNewer(to, held) || fault == .takesOldStates else { return }
      state = newState
      version = to
    }
  }

  private func isNewer(_ other: String, _ held: String) -> Bool {
    if Self.epoch(other) == Self.epoch(version) { return FaultRun.revision(other) > FaultRun.revision(version) }
    return Self.epoch(held) == Self.epoch(version) || fault == .goesBackToAnEpoch
  }

  static func epoch(_ version: String) -> Substring { version.prefix { $0 != "." } }
}

extension JSON {
  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }
}
