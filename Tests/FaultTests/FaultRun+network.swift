// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching

/// The faults of the network, for requests and answers.
extension FaultRun {
  func arrival() throws {
    guard !requests.isEmpty else { return }
    let request = requests.remove(at: Int.random(in: requests.indices, using: &random))
    let fate = Int.random(in: 0..<100, using: &random)
    if fate >= 8, fate < 30 { requests.append(request) }
    switch fate {
    // A proxy that refuses it has the same effect, for the server and for a client that asks again.
    case ..<12: note { "lost: \(request)" }
    case ..<20:
      try link.sendPart(text(of: request), using: &random)
      note { "cut: \(request)" }
    default:
      note { "arrives: \(request)" }
      guard let answer = try receive(request) else { return }
      // An answer that is cut, or that a proxy gives up on, is lost too.
      if Int.random(in: 0..<100, using: &random) < 22 { return note { "its answer is lost" } }
      replies.append((request, answer))
    }
  }

  func replyArrival() throws {
    guard !replies.isEmpty else { return }
    let (request, answer) = replies.remove(at: Int.random(in: replies.indices, using: &random))
    try deliver(answer, to: request)
  }

  /// Hands an answer to its client.
  func deliver(_ answer: TestClient.Response, to request: Request) throws {
    let index = request.client
    let before = followers[index].version
    switch request {
    case .operation(let operation, _, _): try followers[index].take(answer, to: operation, held: request.held)
    case .poll: try followers[index].takePoll(answer, held: request.held)
    }
    note { "client \(index) gets \(answer.status) for \(request): it is at \(followers[index].version)" }
    try check(followers[index], before: before)
  }

  func check(_ follower: Follower, before: String) throws {
    if follower.version != before { counts.frames += 1 }
    guard let state = states[follower.version] else {
      throw Finding(description: "client \(follower.index) is at \(follower.version), which never was")
    }
    guard follower.state == state else {
      throw Finding(
        description: "client \(follower.index) at \(follower.version) has \(follower.state), which was \(state)")
    }
    guard Self.revision(follower.version) >= Self.revision(before) else {
      throw Finding(description: "client \(follower.index) went back from \(before) to \(follower.version)")
    }
  }

  /// Puts another server in the place of the present one, on the same store: a new epoch begins.
  func restart() throws {
    note { "the server is another one" }
    counts.restarts += 1
    // Waiting polls go with the server, and so do streams. Their events that it has sent are on their way.
    parked = []
    for index in streams.indices { streams[index].isCut = true }
    try server.restart()
    link = try link.moved(to: server.port)
    try takeSnapshot()
  }

  static func revision(_ version: String) -> UInt64 { UInt64(version.split(separator: ".").last ?? "") ?? 0 }
}
