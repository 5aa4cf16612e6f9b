// SPDX-License-Identifier: MIT
import JSONPatching

/// The faults of the network, for requests and answers.
extension FaultRun {
  func arrival() throws {
    guard !requests.isEmpty else { return }
    let request = requests.remove(at: Int.random(in: requests.indices, using: &random))
    let fate = Int.random(in: 0..<100, using: &random)
    if fate >= 8, fate < 30 { requests.append(request) }
    switch fate {
    case ..<8: note { "lost: \(request)" }
    case ..<16:
      try link.sendPart(bytes(of: request), using: &random)
      note { "cut: \(request)" }
    case ..<20:
      let text = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n"
      replies.append((request, Array(text.utf8)))
      note { "refused by a proxy: \(request)" }
    default:
      note { "arrives: \(request)" }
      let reply = try receive(request)
      guard let reply else { return }
      switch Int.random(in: 0..<100, using: &random) {
      case ..<10: note { "its answer is lost" }
      case ..<15:
        replies.append((request, Array("HTTP/1.1 504 Gateway Timeout\r\nContent-Length: 0\r\n\r\n".utf8)))
        note { "a proxy gives up on its answer" }
      default: replies.append((request, reply))
      }
    }
  }

  func replyArrival() throws {
    guard !replies.isEmpty else { return }
    var (request, bytes) = replies.remove(at: Int.random(in: replies.indices, using: &random))
    if Int.random(in: 0..<12, using: &random) == 0 { bytes.removeLast(Int.random(in: 1...bytes.count, using: &random)) }
    try deliver(bytes, to: request)
  }

  /// Hands an answer to its client. If the answer is not whole, the client will ask again.
  func deliver(_ bytes: [UInt8], to request: Request) throws {
    guard let (answer, _) = Answer.parse(bytes) else { return }
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

  static func revision(_ version: String) -> UInt64 { UInt64(version.split(separator: ".").last ?? "") ?? 0 }
}
