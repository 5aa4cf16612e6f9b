// SPDX-License-Identifier: MIT
// Serves view models whose size is given, for `make bench` to see how the cost of an action grows with it.
//
// Usage: GrowingServer ROWS OBSERVERS. Writes its URL, and serves until a signal.
import Euripus

let arguments = CommandLine.arguments
guard arguments.count == 3, let rows = Int(arguments[1]), let observers = Int(arguments[2]), rows >= 0, observers >= 0
else { fatalError("expected two numbers, of rows and of observers; got \(arguments.dropFirst())") }

var configuration = ServerConfiguration()
configuration.listener.port = 0
configuration.sessions.actionRate = nil
configuration.sessions.actionTime = nil
configuration.sessions.openingRate = nil
configuration.sessions.maxSessionsPerClient = 1_000_000
// A list of 100,000 rows is shown whole.
configuration.sessions.maxStateBytes = 1 << 26
EuripusServer(
  [
    .hosting { Table(rows: rows) }, .hosting { Tasks(rows: rows) }, .hosting { Observed(by: observers) },
    .hosting { Blocking() },
  ],
  configuration: configuration
).run()
