// SPDX-License-Identifier: MIT
import Glibc
import HTTPListening

/// A regular file that is open for sending.
struct OpenedFile {
  /// The path of the file, without symbolic links.
  let path: String
  let body: HTTPFile
  private let status: stat

  /// Tells a file's present bytes from its earlier ones, and from those of other files. It is of this machine
  /// alone.
  struct Stamp: Hashable, Sendable {
    private let numbers: [Int]

    fileprivate init(_ status: stat) {
      let (modified, changed) = (status.st_mtim, status.st_ctim)
      numbers = [
        Int(bitPattern: status.st_dev), Int(bitPattern: status.st_ino), Int(status.st_size), modified.tv_sec,
        modified.tv_nsec, changed.tv_sec, changed.tv_nsec,
      ]
    }
  }

  /// - Parameter isAccepted: whether a path without symbolic links may be opened. A link may lead anywhere; the
  ///   path where it ends counts.
  /// - Returns: `nil` if there is no such file.
  /// - Throws: `overloaded` if the system lacks a descriptor or memory to find out.
  init?(_ path: String, accepting isAccepted: (String) -> Bool) throws(Problem) {
    let real = RealPath(path)
    if real.path == nil { try Self.checkCapacity(real.error) }
    guard let path = real.path, isAccepted(path) else { return nil }
    // Opening something that is not a regular file must not block.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 {
      try Self.checkCapacity(errno)
      return nil
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, fcntl(descriptor, F_SETFL, 0) == 0 else {
      close(descriptor)
      return nil
    }
    self.path = path
    self.status = status
    body = HTTPFile(descriptor: descriptor, count: Int(status.st_size))
  }

  /// Whether the file was last changed before another one was.
  func isOlder(than other: OpenedFile) -> Bool {
    let (own, its) = (status.st_mtim, other.status.st_mtim)
    return (own.tv_sec, own.tv_nsec) < (its.tv_sec, its.tv_nsec)
  }

  var stamp: Stamp { Stamp(status) }

  /// Whether the file at the path has the bytes that it was opened with.
  var isUnchanged: Bool {
    var now = Glibc.stat()
    return stat(path, &now) == 0 && Stamp(now) == stamp
  }

  /// The opaque tag of the file's present bytes.
  var tag: String {
    let modified = status.st_mtim
    return "\(String(modified.tv_sec, radix: 36))-\(String(modified.tv_nsec, radix: 36))-\(status.st_size)"
  }

  /// - Parameter error: the number of the error for which the file was not opened.
  private static func checkCapacity(_ error: Int32) throws(Problem) {
    switch error {
    case EMFILE, ENFILE: throw Problem(.overloaded, "the server has as many files and connections open as it may")
    case ENOMEM: throw Problem(.overloaded, "the server has no memory to open the file")
    default: break
    }
  }
}

/// A path without symbolic links.
struct RealPath {
  /// The path; `nil` if nothing has it.
  let path: String?
  /// The number of the error; 0 if there is a path.
  let error: Int32

  init(_ path: String) {
    let real = realpath(path, nil)
    error = real == nil ? errno : 0
    self.path = real.map { String(cString: $0) }
    free(real)
  }
}
