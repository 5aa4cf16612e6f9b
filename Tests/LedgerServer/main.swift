// SPDX-License-Identifier: MIT
// A server of ledgers that is killed: LedgerServer PORT STORE [die=POINT:N] [early] [keys=N] [durability=…] [idle=MILLISECONDS]
import Euripus
import SQLiteSessions
import Sessions

var configuration = ServerConfiguration()
var answersEarly = false
for argument in CommandLine.arguments.dropFirst(3) {
  let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
  switch (parts[0], parts.last.flatMap { Int($0) }) {
  case ("die", _): Death.arm(parts[1])
  case ("early", _): answersEarly = true
  case ("keys", let count?): configuration.sessions.maxKeys = count
  case ("idle", let milliseconds?): configuration.sessions.idleTime = .milliseconds(milliseconds)
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
let store = MortalStore(SQLiteStore(path: CommandLine.arguments[2]), answersEarly: answersEarly)
configuration.sessions.storage = SessionStorage(store, description: "a store that dies")
let server = EuripusServer([.hosting { Ledger() }, .hosting { Guest($0) }], configuration: configuration)
server.run { _ in
  StandardOutput.write("\(server.port)")
}
