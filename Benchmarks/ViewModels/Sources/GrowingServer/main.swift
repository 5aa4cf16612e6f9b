// SPDX-License-Identifier: MIT
// Serves view models whose size is given, and a room, for `make bench` to see how costs grow.
//
// Usage: GrowingServer ROWS OBSERVERS [STORE]. Writes its URL, and serves until a signal. With a path its sessions are
// stored there.
import Euripus

let arguments = CommandLine.arguments
guard arguments.count == 3 || arguments.count == 4, let rows = Int(arguments[1]), let observers = Int(arguments[2]),
  rows >= 0, observers >= 0
else { fatalError("expected two numbers, of rows and of observers, and perhaps a path; got \(arguments.dropFirst())") }

var configuration = ServerConfiguration()
configuration.listener.port = 0
configuration.listener.maxConnections = 12_000
configuration.listener.maxConnectionsPerAddress = 12_000
configuration.sessions.storage = arguments.dropFirst(3).first.map { .sqlite($0) }
configuration.sessions.actionRate = nil
configuration.sessions.actionTime = nil
configuration.sessions.openingRate = nil
configuration.sessions.maxSessionsPerClient = 1_000_000
// A list of 100,000 rows is shown whole.
configuration.sessions.maxStateBytes = 1 << 26
EuripusServer(
  [
    .hosting { Table(rows: rows) }, .hosting { Tasks(rows: rows) }, .hosting { Observed(by: observers) },
    .hosting { Blocking() }, .hosting { Box($0) }, .hosting(scope: .room) { _ in Hall() },
  ],
  configuration: configuration
).run()
