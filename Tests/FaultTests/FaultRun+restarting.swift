// SPDX-License-Identifier: MIT

/// Puts another server in the place of the present one, on the same store: a new epoch begins.
extension FaultRun {
  func restart() throws {
    note { "the server is another one" }
    counts.restarts += 1
    // Waiting polls go with the server, and so do streams. The bytes that it has sent on these are on their way.
    parked = []
    for index in streams.indices { streams[index].isCut = true }
    try server.restart()
    link = try link.moved(to: server.port)
    try takeSnapshot()
  }
}
