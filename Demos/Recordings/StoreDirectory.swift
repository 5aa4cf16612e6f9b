// SPDX-License-Identifier: MIT
import Glibc

/// The directory of the store. It is made when something is first written.
struct StoreDirectory: Sendable {
  let path: String

  /// The marks of a file, by which the store sees that it is still the one that it read or wrote.
  struct Identity: Equatable, Sendable {
    private let number: UInt64
    private let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    fileprivate init(_ status: stat) {
      number = UInt64(status.st_ino)
      size = Int(status.st_size)
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  /// - Returns: `nil` if there is no such file.
  func identity(of file: String) throws(RecordingsError) -> Identity? {
    var status = stat()
    if stat("\(path)/\(file)", &status) == 0 { return Identity(status) }
    if errno == ENOENT { return nil }
    throw failure("looking at", file)
  }

  /// - Returns: `nil` if there is no such file.
  func read(_ file: String) throws(RecordingsError) -> [UInt8]? {
    let descriptor = open("\(path)/\(file)", O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    if descriptor < 0 { throw failure("opening", file) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw failure("reading", file) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// Writes a file whole or not at all, and durably: a reader, now or after a power cut, finds the old content or
  /// the new.
  func write(_ bytes: [UInt8], to file: String) throws(RecordingsError) {
    try make()
    let new = "\(path)/.\(file).new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw failure("making", file) }
    do {
      defer { close(descriptor) }
      var rest = bytes
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest, rest.count)
        if count < 0, errno == EINTR { continue }
        if count < 0 { throw failure("writing", file, removing: new) }
        rest.removeFirst(count)
      }
      if fsync(descriptor) != 0 { throw failure("syncing", file, removing: new) }
    }
    if rename(new, "\(path)/\(file)") != 0 { throw failure("replacing", file, removing: new) }
    try sync(file)
  }

  /// Removes a file; one that is not there stays away.
  func remove(_ file: String) throws(RecordingsError) {
    if unlink("\(path)/\(file)") != 0, errno != ENOENT { throw failure("removing", file) }
  }

  /// Makes the directory's entries durable.
  private func sync(_ file: String) throws(RecordingsError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 { throw failure("opening the directory of", file) }
    defer { close(descriptor) }
    if fsync(descriptor) != 0 { throw failure("syncing the directory of", file) }
  }

  /// Makes the directory and those above it.
  private func make() throws(RecordingsError) {
    var ancestor = path.hasPrefix("/") ? "" : "."
    for name in path.split(separator: "/") {
      ancestor += "/\(name)"
      if mkdir(ancestor, 0o700) != 0, errno != EEXIST { throw failure("making the directory", String(name)) }
    }
  }

  private func failure(_ what: String, _ file: String, removing unfinished: String? = nil) -> RecordingsError {
    let reason = String(cString: strerror(errno))
    if let unfinished { unlink(unfinished) }
    return .failed(what, file: file, reason: reason)
  }
}
