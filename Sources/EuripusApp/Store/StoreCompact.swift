// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import Glibc
import SQLiteSessions
import Sessions

/// `store compact`: gives back what forgotten sessions took.
struct StoreCompact: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact", abstract: "Writes a session store anew, without the room that forgotten sessions took.",
    discussion: """
      Stop the server first, and see that its file system has room for a second copy. If it is interrupted, the store is as it \
      was. Exit status: 0 if it is done, 1 if the store is held or damaged, or there is no room.
      """)

  @OptionGroup var place: StorePlace

  func run() throws {
    let progress = Progress()
    let holder = "\(ProgramName.current) store compact, process \(getpid())"
    let before = try place.use({ store throws(StoreError) in _ = try store.open(as: holder) }) {
      store throws(StoreError) in
      let before = place.size
      progress.show("writing \(place.path) anew, \(ByteCount.text(before))")
      try store.compact()
      return before
    }
    progress.end()
    StandardOutput.write("\(place.path): \(ByteCount.text(before)) before, \(ByteCount.text(place.size)) now")
  }
}
