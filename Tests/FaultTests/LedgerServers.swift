// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Storing

/// A server with ledgers. The next server gets its store.
struct LedgerServers {
  private var store = MemorySessions()
  private var server: TestServer

  init() throws { server = try Self.server(store) }

  var port: UInt16 { server.port }

  /// Stops the server and starts another one.
  mutating func restart() throws {
    server.stop()
    store = MemorySessions(sharing: store)
    server = try Self.server(store)
  }

  private static func server(_ store: MemorySessions) throws -> TestServer {
    try TestServer([.hosting { Ledger() }]) {
      $0.sessions.storage = SessionStorage(store, description: "a store in memory")
    }
  }
}
