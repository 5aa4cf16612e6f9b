// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import Glibc
import Storing

/// The store that a command works on.
struct StorePlace<App: EuripusApp>: ParsableArguments {
  @Argument(help: "The file of the store, or the address of its PostgreSQL database: postgres://USER@HOST/DATABASE.")
  var store: String

  var address: StoreAddress { StoreAddress(store, shared: App.sharedStore) }

  func validate() throws {
    // It is not repeated, as it may have a password in it.
    if !address.isClear { throw ValidationError("the store must be \(StoreAddress.expected)") }
    if let fault = address.fault { throw ValidationError("the store: \(fault)") }
  }

  /// Refuses a file that is not there.
  func checkFile() throws {
    guard let path = address.file, access(path, F_OK) != 0 else { return }
    throw ValidationError(
      "there is no session store '\(path)': \(String(cString: strerror(errno))); expected the file given to 'serve --store'"
    )
  }

  /// Does something with a store.
  ///
  /// - Parameter open: opens the store.
  /// - Throws: `ExitCode`, after a line that says what is wrong with the store and how to mend it.
  func use<Result>(
    _ open: (any OperatedStore) throws(StoreError) -> Void,
    _ body: (any OperatedStore) throws(StoreError) -> Result
  ) throws -> Result {
    try checkFile()
    guard let store = address.store else { stopProgram(bug: "a store was not validated that this program cannot use") }
    do throws(StoreError) {
      try open(store)
      defer { store.close() }
      return try body(store)
    } catch {
      StandardError.complain("\(error)")
      throw ExitCode.failure
    }
  }

  /// Reads from a store, which a server may have open.
  func look<Result>(_ body: (any OperatedStore) throws(StoreError) -> Result) throws -> Result {
    try use(
      { store throws(StoreError) in
        if let holder = store.holder() {
          StandardError.complain("the session store \(store.place) is held by \(holder), which may change it meanwhile")
        }
        try store.inspect()
      }, body)
  }
}
