// SPDX-License-Identifier: MIT

/// Another server in place of the one there was, on the same store: a new epoch.
extension FaultRun {
  func restart() throws {
    note { "the server is another one" }
    counts.restarts += 1
    // Polls that wait go with it, and streams; the bytes of these that it has sent are on their way.
    parked = []
    for index in streams.indices { streams[index].isCut = true }
    try server.restart()
    link = try link.moved(to: server.port)
    try takeSnapshot()
  }
}
