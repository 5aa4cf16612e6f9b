// SPDX-License-Identifier: MIT
// A server of ledgers, for tests that kill it:
//   LedgerServer PORT STORE [die=POINT:N] [early] [keys=N] [durability=…] [idle=MILLISECONDS] [node=URL]
//     [control=NAME]
// STORE is a file of SQLite, or the address of a PostgreSQL database that other such servers share. `die` needs
// the former; `node` and `control`, a fault of ControlStore, need the latter.
import Euripus
import PostgreSQLSessions
import SQLiteSessions
import Sessions

var configuration = ServerConfiguration()
var answersEarly = false
var nodeURL: String?
var control: ControlStore.Control?
for argument in CommandLine.arguments.dropFirst(3) {
  let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
  switch (parts[0], parts.last.flatMap { Int($0) }) {
  case ("die", _): Death.arm(parts[1])
  case ("early", _): answersEarly = true
  case ("keys", let count?): configuration.sessions.maxKeys = count
  case ("idle", let milliseconds?): configuration.sessions.idleTime = .milliseconds(milliseconds)
  case ("node", _): nodeURL = parts[1]
  case ("control", _):
    control = ControlStore.Control(rawValue: parts[1])
    if control == nil { fatalError("'\(parts[1])' is no control") }
  case ("durability", _): configuration.sessions.durability = Durability(rawValue: parts[1]) ?? .relaxed
  default: fatalError("'\(argument)' is no option")
  }
}
configuration.listener.port = UInt16(CommandLine.arguments[1]) ?? 0
configuration.sessions.actionRate = nil
configuration.sessions.actionTime = nil
configuration.sessions.openingRate = nil
configuration.sessions.maxPollsPerClient = 1_000
configuration.sessions.maxPollsPerSession = 1_000
let address = CommandLine.arguments[2]
if PostgreSQLStore.isAddress(address) {
  if let control {
    let store = ControlStore(PostgreSQLStore(address, nodeURL: nodeURL), control)
    configuration.sessions.storage = SessionStorage(store, description: "a store with a fault")
  } else {
    configuration.sessions.storage = .postgreSQL(address, nodeURL: nodeURL)
  }
} else {
  let store = MortalStore(SQLiteStore(path: address), answersEarly: answersEarly)
  configuration.sessions.storage = SessionStorage(store, description: "a store that dies")
}
let server = EuripusServer([.hosting { Ledger() }, .hosting { Guest($0) }], configuration: configuration)
server.run { _ in
  StandardOutput.write("\(server.port)")
}
