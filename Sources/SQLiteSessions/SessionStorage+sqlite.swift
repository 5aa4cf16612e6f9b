// SPDX-License-Identifier: MIT
public import Storing

extension SessionStorage {
  /// One SQLite file, with its log beside it while it is open (Decisions/0030).
  ///
  /// - Parameter path: the path of the file. A missing file is made, but its directory has to exist.
  public static func sqlite(_ path: String) -> SessionStorage {
    SessionStorage(SQLiteStore(path: path), spool: path + "-uploads", description: path)
  }
}
