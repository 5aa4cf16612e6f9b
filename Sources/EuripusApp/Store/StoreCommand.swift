// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus

/// `store`: the commands with which an operator inspects a session store, and takes care of it.
struct StoreCommand<App: EuripusApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "store",
      abstract: "Looks after a session store: the file, or the database, that 'serve' keeps sessions in.",
      discussion: """
        None of these shows what is in a session, or whose it is. 'check', 'list' and 'try' can be used while a server has the \
        store, and 'compact' and 'migrate' too if it is a PostgreSQL database.
        """,
      subcommands: [
        StoreCheck<App>.self, StoreCompact<App>.self, StoreList<App>.self, StoreMigrate<App>.self, StoreTry<App>.self,
      ])
  }
}

/// Sizes for people.
enum ByteCount {
  static func text(_ bytes: Int) -> String {
    let (size, unit) = scaled(bytes)
    return unit == "bytes" ? "\(bytes) bytes" : "\((size * 10).rounded() / 10) \(unit)"
  }

  /// A size for people, without a fraction: 12 KiB.
  static func short(_ bytes: Int) -> String {
    let (size, unit) = scaled(bytes)
    return "\(Int(size.rounded())) \(unit)"
  }

  private static func scaled(_ bytes: Int) -> (size: Double, unit: String) {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
    var (size, unit) = (Double(bytes), 0)
    while size >= 1_024, unit < units.count - 1 { (size, unit) = (size / 1_024, unit + 1) }
    return (size, units[unit])
  }
}
