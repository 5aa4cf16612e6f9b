// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching

/// Judges the server's answers by its duties.
extension FaultRun {
  /// Lets a request arrive whole.
  ///
  /// - Returns: its answer; nil if it is a poll that waits.
  func receive(_ request: Request) throws -> TestClient.Response? {
    counts.arrivals += 1
    switch request {
    case .operation(let operation, let since, _):
      let answer = try link.exchange(text(of: request), using: &random)
      try judge(answer, operation, since: since)
      return answer
    case .poll(_, let since, let waits, _):
      guard waits, since == version, plain.closing == nil else {
        let answer = try link.exchange(text(of: request), using: &random)
        try judge(poll: answer, since: since)
        return answer
      }
      return try park(request)
    }
  }

  private func judge(_ answer: TestClient.Response, _ operation: Operation, since: String?) throws {
    let verdict = plain.receive(operation)
    let wanted: Bool
    switch verdict {
    case .decided(let status):
      wanted = answer.status == status
      plain.keep(answer, of: operation)
    case .undecided(let status, let problem): wanted = answer.status == status && answer.problem == problem
    case .repeated(let first):
      counts.repeated += 1
      wanted = repeats(first, answer, since: since)
    case .replayed: wanted = answer.status == 200 && answer.json?["replayed"] == true
    }
    guard wanted else {
      throw Finding(
        description: "\(operation) was answered \(answer.status) \(answer.text), wanted \(verdict)")
    }
    let before = version
    try takeSnapshot()
    if case .decided(status: 200) = verdict {
      guard answer.json?["to"]?.text == version, answer["ETag"] == "\"\(version)\"" else {
        throw Finding(description: "\(operation) leads to \(answer.json?["to"]?.text ?? "no version"), not \(version)")
      }
    }
    if version != before || plain.closing != nil {
      try unpark()
      try readStreams()
    }
  }

  /// Whether an operation that comes again gets its first answer. In another epoch it gets that result with a
  /// frame of the new epoch.
  private func repeats(_ first: TestClient.Response, _ answer: TestClient.Response, since: String?) -> Bool {
    guard let to = first.json?["to"]?.text, Follower.epoch(to) != Follower.epoch(version) else {
      return answer.status == first.status && answer["ETag"] == first["ETag"] && answer.body == first.body
    }
    guard let json = answer.json, let json0 = first.json else { return false }
    return answer.status == first.status && json["result"] == json0["result"] && json["results"] == json0["results"]
      && json["to"]?.text == version && answer["ETag"] == "\"\(version)\"" && json["from"]?.text == since
  }

  private func judge(poll answer: TestClient.Response, since: String?) throws {
    let wanted = plain.closing != nil ? 410 : since == version ? 204 : 200
    guard answer.status == wanted, wanted != 200 || answer.json?["to"]?.text == version else {
      throw Finding(
        description: "a poll since \(since ?? "never") at \(version) was answered \(answer.status), wanted \(wanted): "
          + answer.text)
    }
  }

  /// Has a poll wait at the server. Beyond four waiting polls the server has to release one.
  private func park(_ request: Request) throws -> TestClient.Response? {
    let client = try link.another()
    try client.send(raw: text(of: request))
    parked.append((request, client))
    guard parked.count > 4 else { return nil }
    guard let released = TestClient.firstReadable(of: parked.map(\.client)) else {
      throw Finding(description: "of five waiting polls none was released")
    }
    let (other, otherClient) = parked.remove(at: released)
    let answer = try otherClient.receive()
    guard answer.status == 204 else { throw Finding(description: "a poll was released with \(answer.text)") }
    replies.append((other, answer))
    return nil
  }

  /// Takes the answers of the polls that waited for the newest change.
  private func unpark() throws {
    for (request, client) in parked {
      let answer = try client.receive()
      try judge(poll: answer, since: nil)
      replies.append((request, answer))
    }
    parked = []
  }

  /// Asks for the state on a connection without faults.
  @discardableResult
  func takeSnapshot() throws -> JSON {
    let answer = try link.exchange("GET", "")
    if plain.closing != nil {
      guard answer.status == 410 else { throw Finding(description: "a closed session answers \(answer.status)") }
      return .null
    }
    guard answer.status == 200, let json = answer.json, let state = json["state"], let now = json["version"]?.text
    else {
      throw Finding(description: "a snapshot was answered \(answer.status)")
    }
    if let difference = plain.difference(from: state) { throw Finding(description: "at \(now) \(difference)") }
    guard Self.revision(now) >= Self.revision(version) else {
      throw Finding(description: "the server went back from \(version) to \(now)")
    }
    if let known = states[now], known != state {
      throw Finding(description: "\(now) was \(known) and is \(state)")
    }
    version = now
    states[now] = state
    return json
  }
}
