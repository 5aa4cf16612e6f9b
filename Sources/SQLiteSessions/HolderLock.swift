// SPDX-License-Identifier: MIT
import Glibc
import Storing

/// A server's hold on a store: a lock on a file beside it. The file has the holder's name for others to read.
///
/// The system gives the lock back when the process is gone, however it ended, so a dead holder holds nothing. The
/// file stays: if it were removed, two servers could lock two files of one name.
struct HolderLock: ~Copyable {
  private let descriptor: Int32

  /// - Throws: ``StoreError``: `held`, with the holder's name, or `unavailable` if the file cannot be made or
  ///   locked.
  init(for path: String, holder: String) throws(StoreError) {
    let lockPath = path + ".lock"
    let descriptor = Glibc.open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(
        .unavailable,
        "\(lockPath), by which a server holds its session store, cannot be opened: \(String(cString: strerror(errno))). "
          + "The directory has to exist, and to be writable for the server")
    }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let reason = errno
      let name = Self.name(descriptor)
      Glibc.close(descriptor)
      guard reason == EWOULDBLOCK else {
        throw StoreError(.unavailable, "\(lockPath) cannot be locked: \(String(cString: strerror(reason)))")
      }
      throw StoreError(
        .held,
        "the session store \(path) is held by \(name). Stop that server, or give this one another store")
    }
    // A process that reads the name while it is written may see a part of it. The name is only for messages to
    // people.
    _ = ftruncate(descriptor, 0)
    var text = holder + "\n"
    _ = text.withUTF8 { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    self.descriptor = descriptor
  }

  /// The name of the process that has the lock now; `nil` if none has it.
  ///
  /// Makes no file. Takes a free lock for the moment of looking, in which a server that opens the store is kept out.
  static func holder(for path: String) -> String? {
    let descriptor = Glibc.open(path + ".lock", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
    return name(descriptor)
  }

  private static func name(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let name = String(decoding: bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return name.isEmpty ? "a server that has not said its name yet" : name
  }

  deinit {
    _ = ftruncate(descriptor, 0)
    // Unlocked before it is closed: a child process that was just forked shares the lock until it runs its own
    // program.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
