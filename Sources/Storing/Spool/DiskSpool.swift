// SPDX-License-Identifier: MIT
import Glibc
import Locking
package import ViewModels

/// The spool of a server: a directory with one directory a session, which has the files of its uploads.
///
/// The directory is made when a file first comes. Without a place of its own it is made among temporary files, and goes with
/// the server.
package final class DiskSpool: FileSpool {
  private struct State {
    /// `nil` until it is made.
    var directory: String?
    var room: SpoolRoom
    var writers: [SpooledFile: WeakWriter] = [:]
  }

  private struct WeakWriter {
    weak var writer: SpoolWriter?
  }

  private let place: String?
  private let state: Locked<State>

  /// - Parameters:
  ///   - place: the path of the directory; `nil` for a temporary one.
  ///   - limit: the most bytes that all files may take.
  package init(place: String?, limit: Int) {
    self.place = place
    state = Locked(State(directory: nil, room: SpoolRoom(limit: limit)))
  }

  /// Takes stock of files that an earlier process has left.
  package func open() {
    guard let place, access(place, F_OK) == 0 else { return }
    let found = Self.files(in: place).map { ($0, size(of: $0, in: place) ?? 0) }
    state.withLock { state in
      state.directory = place
      for (file, size) in found { _ = state.room.reserve(size, for: file, of: nil) }
    }
  }

  /// Removes the directory, if it is a temporary one.
  package func close() {
    guard place == nil, let directory = state.withLock(\.directory) else { return }
    for file in Self.files(in: directory) { remove(file) }
    rmdir(directory)
  }

  /// The bytes that are taken.
  package var bytes: Int { state.withLock(\.room.bytes) }

  /// Takes room for a file.
  ///
  /// - Returns: the reason why there is none, as a person reads it; `nil` if there is.
  package func reserve(_ count: Int, for file: SpooledFile, of sender: SpoolRoom.Sender) -> String? {
    if let reason = state.withLock({ $0.room.reserve(count, for: file, of: sender) }) { return reason }
    guard let directory = directory(), let free = Self.freeBytes(of: directory), count > free - Self.leftFree else {
      return nil
    }
    state.withLock { $0.room.release(file) }
    return "the server's disk has no room for \(count) bytes"
  }

  /// Begins to write at the end of a file, which is made if it is not there. Whoever writes it now is ended.
  package func writer(of file: SpooledFile) throws(SpoolWriter.Failure) -> SpoolWriter {
    guard let directory = directory() else { throw .failed("no directory can be made for it") }
    var descriptor: Int32 = -1
    // The directory goes with the session's last file, which may be at this moment.
    for _ in 0..<8 where descriptor < 0 {
      mkdir("\(directory)/\(file.session)", 0o700)
      descriptor = Glibc.open(Self.path(of: file, in: directory), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    }
    guard descriptor >= 0 else { throw .failed(String(cString: strerror(errno))) }
    let earlier = state.withLock { $0.writers[file]?.writer }
    earlier?.end()
    var status = stat()
    fstat(descriptor, &status)
    let writer = SpoolWriter(descriptor: descriptor, size: Int(status.st_size))
    state.withLock { $0.writers[file] = WeakWriter(writer: writer) }
    return writer
  }

  /// Drops files whose last byte came before a time that long ago.
  ///
  /// - Returns: these files.
  package func expire(after time: Duration) -> [SpooledFile] {
    guard let directory = state.withLock(\.directory) else { return [] }
    let limit = Glibc.time(nil) - Int(time.components.seconds)
    let expired = Self.files(in: directory).filter { file in
      var status = stat()
      return stat(Self.path(of: file, in: directory), &status) == 0 && status.st_mtim.tv_sec < limit
    }
    for file in expired { remove(file) }
    return expired
  }

  /// Drops all files of a session.
  package func removeAll(ofSession session: String) {
    for file in state.withLock({ $0.room.files(ofSession: session) }) { remove(file) }
  }

  // MARK: For view models

  package func size(of file: SpooledFile) -> Int? {
    state.withLock(\.directory).flatMap { size(of: file, in: $0) }
  }

  /// The path of a file; `nil` before there is any.
  package func path(of file: SpooledFile) -> String? {
    state.withLock(\.directory).map { Self.path(of: file, in: $0) }
  }

  package func read(_ file: SpooledFile) throws(FileFault) -> [UInt8] {
    guard let path = path(of: file), let bytes = Self.bytes(at: path) else { throw Self.gone }
    return bytes
  }

  package func link(_ file: SpooledFile, to target: String) throws(FileFault) -> Bool {
    guard let path = path(of: file), access(path, F_OK) == 0 else { throw Self.gone }
    if Glibc.link(path, target) == 0 { return true }
    switch errno {
    case EEXIST:
      if Self.areSame(path, target) { return false }
      throw FileFault("there is another file at '\(target)'; expected a path at which there is none")
    case EXDEV, EPERM, EMLINK, ENOTSUP: return try copy(path, to: target)
    case let error: throw FileFault("'\(target)' cannot be made: \(String(cString: strerror(error)))")
    }
  }

  package func unlink(_ path: String) { Glibc.unlink(path) }

  package func remove(_ file: SpooledFile) {
    let (directory, writer) = state.withLock { state in
      state.room.release(file)
      return (state.directory, state.writers.removeValue(forKey: file)?.writer)
    }
    writer?.end()
    guard let directory else { return }
    Glibc.unlink(Self.path(of: file, in: directory))
    // It fails while there are others.
    rmdir("\(directory)/\(file.session)")
  }

  // MARK: The directory

  private static let gone = FileFault("the file is not there any more; expected it to be sent again")
  /// The bytes that stay free on the disk, for the store.
  private static let leftFree = 64 << 20

  private func directory() -> String? {
    state.withLock { state in
      if let directory = state.directory { return directory }
      if let place {
        guard mkdir(place, 0o700) == 0 || errno == EEXIST else { return nil }
        state.directory = place
      } else {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/euripus-uploads-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        state.directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
      return state.directory
    }
  }

  private static func path(of file: SpooledFile, in directory: String) -> String {
    "\(directory)/\(file.session)/\(file.name)"
  }

  private func size(of file: SpooledFile, in directory: String) -> Int? {
    var status = stat()
    return stat(Self.path(of: file, in: directory), &status) == 0 ? Int(status.st_size) : nil
  }

  private static func freeBytes(of directory: String) -> Int? {
    var status = statvfs()
    return statvfs(directory, &status) == 0 ? Int(status.f_bavail) * Int(status.f_frsize) : nil
  }

  private static func files(in directory: String) -> [SpooledFile] {
    let escaped = directory.map { "\\*?[".contains($0) ? "\\\($0)" : String($0) }.joined()
    var found = glob_t()
    defer { globfree(&found) }
    guard glob("\(escaped)/*/*", 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { index in
      guard let path = found.gl_pathv[index].map({ String(cString: $0) }) else { return nil }
      let parts = path.split(separator: "/").suffix(2).map(String.init)
      return SpooledFile(session: parts[0], name: parts[1])
    }
  }

  // MARK: Copies

  /// Copies a file to another file system. It is at its path once it is whole.
  private func copy(_ path: String, to target: String) throws(FileFault) -> Bool {
    if access(target, F_OK) == 0 {
      if Self.areSame(path, target) { return false }
      throw FileFault("there is another file at '\(target)'; expected a path at which there is none")
    }
    let part = target + ".part"
    do throws(SpoolWriter.Failure) { try Self.copyBytes(of: path, to: part) } catch {
      Glibc.unlink(part)
      throw FileFault("'\(target)' cannot be written: \(error == .full ? "the disk is full" : "\(error)")")
    }
    guard rename(part, target) == 0 else {
      throw FileFault("'\(target)' cannot be made: \(String(cString: strerror(errno)))")
    }
    return true
  }

  private static func copyBytes(of path: String, to part: String) throws(SpoolWriter.Failure) {
    let source = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    let target = Glibc.open(part, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard source >= 0, target >= 0 else { throw .failed(String(cString: strerror(errno))) }
    let (from, to) = (SpoolWriter(descriptor: source, size: 0), SpoolWriter(descriptor: target, size: 0))
    try from.read(from: 0) { piece throws(SpoolWriter.Failure) in try to.write(piece) }
    try to.sync()
  }

  /// Whether two paths lead to one file, or to files with the same bytes.
  private static func areSame(_ path: String, _ other: String) -> Bool {
    var (one, two) = (stat(), stat())
    guard stat(path, &one) == 0, stat(other, &two) == 0, one.st_size == two.st_size else { return false }
    if one.st_ino == two.st_ino, one.st_dev == two.st_dev { return true }
    return digest(of: path) == digest(of: other)
  }

  private static func digest(of path: String) -> Digest? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var hash = SHA256()
    do { try SpoolWriter(descriptor: descriptor, size: 0).read(from: 0) { hash.update($0) } } catch { return nil }
    return hash.finish()
  }

  private static func bytes(at path: String) -> [UInt8]? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var bytes: [UInt8] = []
    do { try SpoolWriter(descriptor: descriptor, size: 0).read(from: 0) { bytes += $0 } } catch { return nil }
    return bytes
  }
}
