// SPDX-License-Identifier: MIT
import Glibc
import Sessions

/// A server's hold on a store: a lock on a file beside it, in which the holder's name stands for others to read.
///
/// The system gives the lock back when the process is gone, however it went, so that a dead holder holds nothing. The file
/// stays: to remove it would let two servers lock two files of one name.
struct HolderLock: ~Copyable {
  private let descriptor: Int32

  /// - Throws: ``StoreError`` of kind `held`, with the holder's name, or that the file cannot be made.
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
    // A reader who comes while it is written sees a part of it, which is for people.
    _ = ftruncate(descriptor, 0)
    var text = holder + "\n"
    _ = text.withUTF8 { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    self.descriptor = descriptor
  }

  /// The process that has it now; `nil` if nobody has it. Makes no file and keeps nobody out for longer than it takes to look.
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
    // A child process that was forked this moment has the lock as well, until it runs its own program.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
