// SPDX-License-Identifier: MIT
import Glibc
import Storing

/// The first 100 bytes of a store's file (https://www.sqlite.org/fileformat.html#the_database_header).
///
/// They are checked before SQLite opens the file, since SQLite may write to a file that it only opens.
enum StoreFile {
  /// "Euri", by which a store's file is known.
  static let applicationID: Int32 = 0x4575_7269
  /// The present format of the tables. Formats count from 1.
  static let format: Int32 = 8

  private static let magic = Array("SQLite format 3\0".utf8)

  /// Checks the file. Makes a missing one, which its owner alone may read and write.
  ///
  /// - Returns: whether it is empty, or may be empty once SQLite has undone an interrupted transaction.
  /// - Throws: ``StoreError``, if the file cannot be read, is no store, or has the format of a later version.
  static func prepare(_ path: String) throws(StoreError) -> Bool {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(
        .unavailable,
        "the session store \(path) cannot be opened: \(String(cString: strerror(errno))). "
          + "Expected a file that the server may read and write, or a directory in which it may make one")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_nlink < 2 else {
      throw StoreError(
        .unavailable,
        "the session store \(path) has another name too (a hard link), by which another server could open it, without its log. "
          + "Remove the other name; a copy of the file is made with 'cp'")
    }
    var header = [UInt8](repeating: 0, count: 100)
    let count = pread(descriptor, &header, header.count, 0)
    guard count >= 0 else {
      throw StoreError(.unavailable, "the session store \(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    if count == 0 || access(path + "-journal", F_OK) == 0 { return true }
    // SQLite's file format has versions 1 and 2. Encoding 1 is UTF-8.
    let isKnown = header[18..<20].allSatisfy { $0 == 1 || $0 == 2 } && number(header, at: 56) == 1
    guard count == header.count, header.starts(with: magic), isKnown else {
      throw StoreError(
        .damaged,
        "\(path) is no session store, or its beginning is damaged: expected a file of SQLite's. It was left as it is. Move it "
          + "away, or name another file")
    }
    try check(applicationID: number(header, at: 68), format: number(header, at: 60), path)
    return false
  }

  /// A path of the same file that is no symbolic link; the file need not be there. Beside it are the file's log and
  /// its lock, whichever link a server was told of.
  static func resolved(_ path: String) -> String {
    var path = path
    // The system follows so many links at most (path_resolution(7)).
    for _ in 0..<40 {
      guard let target = target(of: path) else { return path }
      path = target.hasPrefix("/") ? target : directory(of: path) + "/" + target
    }
    return path
  }

  /// The path that a symbolic link has in it; `nil` for anything else.
  private static func target(of path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  private static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  static func check(applicationID: Int32, format: Int32, _ path: String) throws(StoreError) {
    guard applicationID == Self.applicationID else {
      throw StoreError(
        .foreign,
        "\(path) is another program's database (application id \(applicationID), expected \(Self.applicationID)). It was left "
          + "as it is. Name another file")
    }
    guard format <= Self.format else {
      throw StoreError(
        .newer,
        "the session store \(path) has format \(format), of a later version of this program, which knows formats up to "
          + "\(Self.format). It was left as it is. Start that version, or name another file")
    }
    guard format >= 1 else {
      throw StoreError(
        .damaged,
        "the session store \(path) has format \(format); expected 1 to \(Self.format). It was left as it is. Move it away, or "
          + "name another file")
    }
  }

  private static func number(_ header: [UInt8], at offset: Int) -> Int32 {
    header[offset..<offset + 4].reduce(0) { $0 << 8 | Int32($1) }
  }

  /// Syncs the directory, so that a file which was just made is there after a power cut.
  static func syncDirectory(of path: String) {
    let descriptor = Glibc.open(directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
