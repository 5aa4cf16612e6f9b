// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Locking

/// The states that all readers of a session have seen. A version has one state, and no state that was seen is
/// undone.
final class Seen: Sendable {
  private struct State {
    var states: [String: JSON] = [:]
    var numbers: [Int64] = []
    var lives = 0
    var faults: [String] = []
  }
  private let state = Locked(State())
  var faults: [String] { state.withLock { $0.faults } }
  var versions: Int { state.withLock { $0.states.count } }

  func fault(_ text: String) { state.withLock { $0.faults.append(text) } }

  func see(_ version: String, _ json: JSON) {
    state.withLock { seen in
      if let before = seen.states[version], before != json {
        seen.faults.append("version \(version) is \(text(before)) and \(text(json))")
      }
      seen.states[version] = json
    }
  }
}

private func text(_ json: JSON) -> String {
  var writer = JSONWriter(capacity: 512)
  writer.json(json)
  return String(decoding: writer.bytes, as: UTF8.self)
}

/// A client that follows a ledger by long polls, and applies the frames that it is sent.
final class Reader: Sendable {
  private let url: String
  private let cookie: String
  private let server: KilledServer
  private let seen: Seen
  private let isStopping = Locked(false)
  private let endings = Locked((epochs: 0, interrupted: 0))
  var epochs: Int { endings.withLock { $0.epochs } }
  var interrupted: Int { endings.withLock { $0.interrupted } }

  init(of url: String, cookie: String, on server: KilledServer, seen: Seen) {
    self.url = url
    self.cookie = cookie
    self.server = server
    self.seen = seen
  }

  func stop() { isStopping.withLock { $0 = true } }

  func run() {
    var client: TestClient?
    var version: String?
    var state = JSON.null
    while !isStopping.withLock({ $0 }) {
      do {
        if client == nil {
          client = try TestClient(port: server.port)
          client?.cookie = cookie
        }
        guard let client else { continue }
        let target = url + "/changes" + (version.map { "?since=\($0)" } ?? "")
        let answer = try client.request("GET", target, fields: [("Prefer", "wait=1")])
        switch answer.status {
        case 200:
          let before = (version, state)
          (version, state) = try take(answer, state, version)
          compare(before, (version, state))
        case 204, 503: break
        default: return seen.fault("\(target): \(answer.status) \(answer.text)")
        }
      } catch let error as Misfit {
        return seen.fault(error.description)
      } catch {
        client = nil
        usleep(1_000)
      }
    }
  }

  private struct Misfit: Error { let description: String }

  private func take(_ answer: TestClient.Response, _ state: JSON, _ since: String?) throws -> (String, JSON) {
    guard let frame = answer.json, case .string(let to)? = frame["to"] else {
      throw Misfit(description: "no frame: \(answer.text)")
    }
    let next: JSON
    if let patch = frame["patch"] {
      guard case .string(let from)? = frame["from"], from == since else {
        throw Misfit(description: "a patch from \(frame["from"] ?? .null) for a reader at \(since ?? "nothing")")
      }
      do { next = try state.applying([PatchOperation](json: patch)) } catch {
        throw Misfit(description: "\(error) in \(answer.text) on \(state)")
      }
    } else {
      next = frame["state"] ?? .null
    }
    seen.see(to, next)
    return (to, next)
  }

  /// Checks that no life takes back a state that was seen in the life before. Within a life, the revision only
  /// grows.
  private func compare(_ before: (version: String?, state: JSON), _ after: (version: String?, state: JSON)) {
    guard let old = before.version?.split(separator: "."), let new = after.version?.split(separator: ".") else {
      return
    }
    let isSameLife = old[0] == new[0]
    if isSameLife {
      if (UInt64(old[1]) ?? 0) >= (UInt64(new[1]) ?? 0) { seen.fault("after \(old) comes \(new)") }
    } else {
      let isInterrupted = after.state["work"]?["error"]?["type"] == "interrupted"
      endings.withLock {
        $0.epochs += 1
        $0.interrupted += isInterrupted ? 1 : 0
      }
    }
    for name in ["numbers", "total", "begun", "ended"] where Self.falls(before.state[name], after.state[name]) {
      seen.fault("\(name) was \(before.state[name] ?? .null) and is \(after.state[name] ?? .null)")
    }
  }

  private static func falls(_ before: JSON?, _ after: JSON?) -> Bool {
    switch (before, after) {
    case (.integer(let old)?, .integer(let new)?): new < old
    case (.array(let old)?, .array(let new)?): old.count != new.count || zip(old, new).contains { falls($0, $1) }
    default: true
    }
  }
}
