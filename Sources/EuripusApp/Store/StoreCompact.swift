// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import Glibc
import Storing

/// `store compact`: gives back the space that forgotten sessions took.
struct StoreCompact<App: EuripusApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "compact", abstract: "Gives back the room that forgotten sessions took.",
      discussion: """
        A file is written anew: stop the server first, and see that its file system has room for a second copy. If it is \
        interrupted, the store is as it was. A PostgreSQL database is vacuumed, beside its servers. Exit status: 0 if it is done, 1 if the store is held or damaged, or there is no room.
        """)
  }

  @OptionGroup var place: StorePlace<App>

  func run() throws {
    let progress = Progress()
    let holder = "\(ProgramName.current) store compact, process \(getpid())"
    let description = place.address.description
    let (before, after) = try place.use({ store throws(StoreError) in _ = try store.open(as: holder) }) {
      store throws(StoreError) in
      let before = try store.size()
      progress.show("compacting \(description), \(ByteCount.text(before))")
      try store.compact()
      return (before, try store.size())
    }
    progress.end()
    StandardOutput.write("\(description): \(ByteCount.text(before)) before, \(ByteCount.text(after)) now")
  }
}
