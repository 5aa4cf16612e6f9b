// SPDX-License-Identifier: MIT
public import Sessions

extension SessionStorage {
  /// One file of SQLite's, with its log beside it while it is open (Decisions/0030).
  ///
  /// - Parameter path: of the file, which is made if there is none, in a directory that is there.
  public static func sqlite(_ path: String) -> SessionStorage {
    SessionStorage(SQLiteStore(path: path), description: path)
  }
}
