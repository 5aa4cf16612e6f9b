// SPDX-License-Identifier: MIT
// A server of ledgers, for tests that break it (Tests/Faults), and a look for damage in its file:
//   LedgerServer PORT STORE [die=POINT:N] [early] [half] [request-keys] [keys=N] [durability=…] [idle=MILLISECONDS] [node=URL]
//     [hold=FILE] [apart] [control=NAME] [uploads=DIRECTORY] [kept=DIRECTORY]
//   LedgerServer check STORE
// STORE is a file of SQLite, or the address of a PostgreSQL database that other such servers share. `die`, `early`
// and `apart` need the former; `node`, `hold` and `control`, which are for BreakableStore, need the latter. Files go to
// `uploads` as they come, and to `kept` when they are kept.
import Euripus
import EuripusNodes
import Glibc
import Locking
import SQLiteSessions
import Storing

let address = CommandLine.arguments[2]
if CommandLine.arguments[1] == "check" {
  let store = SQLiteStore(path: address)
  try store.inspect()
  let findings = try store.check()
  for finding in findings { StandardError.write(finding) }
  exit(findings.isEmpty ? 0 : 1)
}
var configuration = ServerConfiguration()
var (answersEarly, isApart) = (false, false)
var (nodeURL, hold): (String?, String) = (nil, "")
var control: BreakableStore.Control?
var kept = ""
for argument in CommandLine.arguments.dropFirst(3) {
  let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
  switch (parts[0], parts.last.flatMap { Int($0) }) {
  case ("die", _): Death.arm(parts[1])
  case ("early", _): answersEarly = true
  case ("apart", _): isApart = true
  case ("request-keys", _): Deeds.hasRequestKeys.withLock { $0 = true }
  case ("half", _): Onlooker.isHalf.withLock { $0 = true }
  case ("keys", let count?): configuration.sessions.maxKeys = count
  case ("idle", let milliseconds?): configuration.sessions.idleTime = .milliseconds(milliseconds)
  case ("node", _): nodeURL = parts[1]
  case ("hold", _): hold = parts[1]
  case ("uploads", _): configuration.sessions.uploadDirectory = parts[1]
  case ("kept", _): kept = parts[1]
  case ("control", _):
    control = BreakableStore.Control(rawValue: parts[1])
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
if PostgreSQLStore.isAddress(address) {
  let store = BreakableStore(PostgreSQLStore(address, nodeURL: nodeURL), hold: hold, control)
  configuration.sessions.storage = SessionStorage(
    store, nodeClient: { CurlClient() }, description: "a store of several servers")
} else {
  let store = MortalStore(SQLiteStore(path: address), answersEarly: answersEarly, isApart: isApart)
  configuration.sessions.storage = SessionStorage(store, description: "a store that dies")
}
configuration.sessions.migrations = Deeds.migrations
let server = EuripusServer(
  [
    .hosting { Ledger($0) }, .hosting { Guest($0) }, .hosting(scope: .room) { SharedLedger($0) },
    .hosting { Onlooker($0) }, .hosting { [kept] in Shelf($0, kept) },
  ],
  configuration: configuration)
server.run { _ in
  StandardOutput.write("\(server.port)")
}
