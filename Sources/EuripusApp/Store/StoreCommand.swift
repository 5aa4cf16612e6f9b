// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import Glibc
import SQLiteSessions
import Sessions

/// `store`: what an operator may want to know of a session store, and do about it.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "Looks after a session store: the file that 'serve' keeps sessions in.",
    discussion: """
      None of these shows what is in a session, or whose it is. 'check' and 'list' can be used while a server has the store, \
      'compact' cannot.
      """, subcommands: [StoreCheck.self, StoreCompact.self, StoreList.self])
}

/// The store that a command is about.
struct StorePlace: ParsableArguments {
  @Argument(help: "The file of the store.")
  var path: String

  func validate() throws {
    guard access(path, F_OK) != 0 else { return }
    throw ValidationError(
      "there is no session store '\(path)': \(String(cString: strerror(errno))); expected the file that 'serve' was told of"
    )
  }

  /// The size of the file and of its log, in bytes.
  var size: Int {
    [path, path + "-wal"].reduce(0) { sum, path in
      var status = stat()
      return stat(path, &status) == 0 ? sum + Int(status.st_size) : sum
    }
  }

  /// Does something with a store that is open.
  ///
  /// - Parameter open: opens it.
  /// - Throws: `ExitCode`, after a line that says what is wrong with the store and what can be done.
  func use<Result>(
    _ open: (SQLiteStore) throws(StoreError) -> Void, _ body: (SQLiteStore) throws(StoreError) -> Result
  ) throws -> Result {
    let store = SQLiteStore(path: path)
    do throws(StoreError) {
      try open(store)
      defer { store.close() }
      return try body(store)
    } catch {
      StandardError.complain("\(error)")
      throw ExitCode.failure
    }
  }

  /// Says on the standard error who has the store, if a server has it.
  func tellHolder() {
    guard let holder = SQLiteStore.holder(of: path) else { return }
    StandardError.complain("the session store \(path) is held by \(holder), which may change it meanwhile")
  }
}

/// Sizes for people.
enum ByteCount {
  static func text(_ bytes: Int) -> String {
    let (size, unit) = scaled(bytes)
    return unit == "bytes" ? "\(bytes) bytes" : "\((size * 10).rounded() / 10) \(unit)"
  }

  /// Without a fraction: 12 KiB.
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
