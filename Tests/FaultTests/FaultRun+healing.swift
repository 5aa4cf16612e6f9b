// SPDX-License-Identifier: MIT

extension FaultRun {
  /// Lets everything arrive from now on, and wants the promises of PROTOCOL.md for each client. All its
  /// operations are decided, once and in order, and it holds the present state.
  func heal() throws {
    for index in followers.indices { try finish(index) }
    for index in streams.indices { try hand(streams[index].pending.count, to: index) }
    streams = []
    // The network still has messages, which arrive late. They were decided long ago, so they must change nothing.
    let last = version
    for request in requests.shuffled(using: &random) {
      guard case .operation(let operation, _, _) = request else { continue }
      note { "arrives late: \(request)" }
      guard plain.hasDecided(operation) else {
        throw Finding(description: "client \(operation.client) has forgotten \(operation)")
      }
      _ = try receive(request)
      guard version == last else { throw Finding(description: "a late \(operation) led from \(last) to \(version)") }
    }
    for index in followers.indices { try catchUp(index) }
  }

  /// A client asks again, in order, for operations that it does not know to be decided.
  private func finish(_ index: Int) throws {
    for operation in followers[index].outstanding {
      let held = followers[index].version
      let request = Request.operation(operation, since: held, held: held)
      note { "asks again: \(request)" }
      if let answer = try receive(request) { try deliver(answer, to: request) }
    }
    guard followers[index].outstanding.isEmpty || followers[index].isClosed else {
      throw Finding(description: "client \(index) never learns of \(followers[index].outstanding)")
    }
  }

  private func catchUp(_ index: Int) throws {
    // One poll for the frames that the client lacks, and one more that tells it that there are no others.
    for _ in 0..<2 where !followers[index].isClosed {
      let held = followers[index].version
      let request = Request.poll(client: index, since: held, waits: false, held: held)
      if let answer = try receive(request) { try deliver(answer, to: request) }
    }
    guard followers[index].isClosed ? plain.closing != nil : followers[index].version == version else {
      throw Finding(description: "client \(index) ends at \(followers[index].version), the session at \(version)")
    }
  }
}
