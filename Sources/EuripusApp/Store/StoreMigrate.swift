// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import Glibc
import Storing

/// `store migrate`: brings a store to the format of this version.
struct StoreMigrate<App: EuripusApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "migrate", abstract: "Makes a session store, or brings it to the format of this version.",
      discussion: """
        A server does the same when it starts, if it may. It also makes the app's own tables, by the app's migrations. In PostgreSQL it makes tables, for which its role needs CREATE in the \
        schema; the role of the servers needs SELECT, INSERT, UPDATE and DELETE only on them. Servers of the previous version go on \
        beside it. Exit status: 0 if the store has this format now, 1 if it fails.
        """)
  }

  @OptionGroup var place: StorePlace<App>

  func run() throws {
    let holder = "\(ProgramName.current) store migrate, process \(getpid())"
    try place.use({ store throws(StoreError) in try store.migrate(as: holder, App.migrations) }) { _ in }
    StandardOutput.write("\(place.address.description) has the format of this version")
  }
}
