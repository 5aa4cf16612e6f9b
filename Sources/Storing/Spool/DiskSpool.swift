// SPDX-License-Identifier: MIT
import Glibc
import Locking
package import ViewModels

/// The spool of a server: a directory with one directory a session, which has the files of its uploads, and those that it
/// offers.
///
/// The directory is made when a file first comes. Without a place of its own it is made among temporary files, and goes with
/// the server.
package final class DiskSpool: FileSpool {
  private struct State {
    /// `nil` for a temporary one that is not made yet. Another one may not be there yet, or be made by another server.
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
    state = Locked(State(directory: place, room: SpoolRoom(limit: limit)))
  }

  /// Takes stock of files that an earlier process has left.
  package func open() {
    guard let place, access(place, F_OK) == 0 else { return }
    let found = Self.files(in: place).map { ($0, size(of: $0, in: place) ?? 0) }
    state.withLock { state in
      for (file, size) in found { state.room.hold(size, for: file) }
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

  /// Takes room for a file, in place of what it has.
  ///
  /// - Parameters:
  ///   - sender: the client that sends it; `nil` for a file that the app offers.
  ///   - replaced: a file that goes when this one is there; `nil` for none.
  /// - Returns: the reason why there is none, as a person reads it; `nil` if there is. Otherwise nothing has changed.
  package func reserve(
    _ count: Int, for file: SpooledFile, of sender: SpoolRoom.Sender?, replacing replaced: SpooledFile? = nil
  ) -> String? {
    let rest = count - (size(of: file) ?? 0)
    if let directory = directory(), let free = Self.freeBytes(of: directory), rest > free - Self.leftFree {
      return "the server's disk has no room for \(rest) bytes"
    }
    return state.withLock { $0.room.reserve(count, for: file, of: sender, replacing: replaced) }
  }

  /// Gives back room of a file whose length is known now.
  package func shrink(_ file: SpooledFile, to count: Int) { state.withLock { $0.room.shrink(file, to: count) } }

  /// Whether files can be written. The directory is made for that.
  package var canBeWritten: Bool { directory().map { access($0, R_OK | W_OK | X_OK) == 0 } == true }

  /// Begins to write at the end of a file, which is made if it is not there. Whoever writes it now is ended. Room was taken
  /// for it before.
  package func writer(of file: SpooledFile) throws(SpoolWriter.Failure) -> SpoolWriter {
    guard let directory = directory() else { throw .failed("no directory can be made for it") }
    var descriptor: Int32 = -1
    // The directory goes with the session's last file, which may be at this moment.
    for _ in 0..<8 where descriptor < 0 {
      mkdir("\(directory)/\(file.session)", 0o700)
      descriptor = Glibc.open(Self.path(of: file, in: directory), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    }
    guard descriptor >= 0 else { throw .failed(String(cString: strerror(errno))) }
    let writer = SpoolWriter(descriptor: descriptor)
    let (isKnown, earlier) = state.withLock { state in
      // It may have been removed since its request has looked for it.
      guard state.room.has(file) else { return (false, nil as SpoolWriter?) }
      return (true, state.writers.updateValue(WeakWriter(writer: writer), forKey: file)?.writer)
    }
    if !isKnown {
      removeFromDisk(file, in: directory)
      throw .ended
    }
    earlier?.end()
    writer.goToEnd()
    return writer
  }

  /// Drops files of uploads whose last byte came before a time that long ago.
  ///
  /// - Returns: these files.
  package func expire(after time: Duration) -> [SpooledFile] {
    guard let directory = state.withLock(\.directory) else { return [] }
    let uploads = Self.files(in: directory).filter { $0.offerKey == nil }
    let old = uploads.filter { Self.isOlder(Self.path(of: $0, in: directory), than: time) }
    for file in old { remove(file) }
    // Another server may have removed some, and of others no byte has ever come.
    let missing = state.withLock { $0.room.files(since: .now - time) }.filter { isMissing($0, in: directory) }
    for file in missing { state.withLock { $0.room.release(file) } }
    return old + missing.filter { $0.offerKey == nil }
  }

  /// The files that sessions have offered for a time, by their sessions. O(files).
  package func offers(olderThan time: Duration) -> [String: [SpooledFile]] {
    guard let directory = state.withLock(\.directory) else { return [:] }
    let old = Self.files(in: directory).filter {
      $0.offerKey != nil && Self.isOlder(Self.path(of: $0, in: directory), than: time)
    }
    return Dictionary(grouping: old, by: \.session)
  }

  /// Notes that a session is there, for other servers of the same directory too.
  package func renew(_ session: String) {
    guard let directory = state.withLock(\.directory) else { return }
    utimensat(AT_FDCWD, "\(directory)/\(session)", nil, 0)
  }

  /// Whether no server has seen a session for a time, nor changed its files.
  package func isLost(_ session: String, for time: Duration) -> Bool {
    guard let directory = state.withLock(\.directory) else { return false }
    return Self.isOlder("\(directory)/\(session)", than: time)
  }

  private static func isOlder(_ path: String, than time: Duration) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mtim.tv_sec < Glibc.time(nil) - Int(time.components.seconds)
  }

  /// Whether it is certain that a file is not there.
  private func isMissing(_ file: SpooledFile, in directory: String) -> Bool {
    access(Self.path(of: file, in: directory), F_OK) != 0 && errno == ENOENT
  }

  /// Drops all files of a session, also those that another server has written.
  package func removeAll(ofSession session: String) {
    let (directory, known) = state.withLock { ($0.directory, $0.room.files(ofSession: session)) }
    let found = directory.map { Self.files(in: $0, of: session) } ?? []
    for file in Set(known + found) { remove(file) }
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
    guard let path = path(of: file), let bytes = DiskFile.bytes(at: path) else { throw Self.gone }
    return bytes
  }

  /// All bytes of a file of the app's.
  package func read(at path: String) throws(FileFault) -> [UInt8] {
    guard let bytes = DiskFile.bytes(at: path) else { throw Self.gone }
    return bytes
  }

  package func keep(_ bytes: [UInt8], as file: SpooledFile) throws(FileFault) {
    if let reason = reserve(bytes.count, for: file, of: nil) { throw FileFault(reason) }
    do throws(SpoolWriter.Failure) {
      let writer = try writer(of: file)
      try writer.write(bytes)
      try sync(writer, of: file)
    } catch {
      remove(file)
      throw FileFault("the file cannot be written: \(error == .full ? "the disk is full" : "\(error)")")
    }
  }

  /// Comes back when a file is on the disk, and its name.
  package func sync(_ writer: SpoolWriter, of file: SpooledFile) throws(SpoolWriter.Failure) {
    try writer.sync()
    guard let path = path(of: file) else { return }
    DiskFile.syncDirectory(of: path)
    // The session's directory may be new.
    DiskFile.syncDirectory(of: String(path.dropLast(file.name.utf8.count + 1)))
  }

  package func size(at path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(path, R_OK) == 0 else { return nil }
    return Int(status.st_size)
  }

  package func link(_ file: SpooledFile, to target: String) throws(FileFault) -> Bool {
    guard let path = path(of: file), access(path, F_OK) == 0 else { throw Self.gone }
    if Glibc.link(path, target) == 0 {
      DiskFile.syncDirectory(of: target)
      return true
    }
    switch errno {
    case EEXIST:
      if DiskFile.areSame(path, target) { return false }
      throw FileFault("there is another file at '\(target)'; expected a path at which there is none")
    case EXDEV, EPERM, EMLINK, ENOTSUP: return try DiskFile.copy(path, to: target)
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
    if let directory { removeFromDisk(file, in: directory) }
  }

  private func removeFromDisk(_ file: SpooledFile, in directory: String) {
    Glibc.unlink(Self.path(of: file, in: directory))
    // It fails while there are others.
    rmdir("\(directory)/\(file.session)")
  }

  // MARK: The directory

  private static let gone = FileFault("the file is not there any more; expected it to be sent again")
  /// The bytes that stay free on the disk, for the store.
  private static let leftFree = 64 << 20

  /// The directory, which is made if it is not there.
  private func directory() -> String? {
    if let place { return mkdir(place, 0o700) == 0 || errno == EEXIST ? place : nil }
    return state.withLock { state in
      if let directory = state.directory { return directory }
      let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
      var template = Array("\(parent)/euripus-uploads-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { return nil }
      state.directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
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

  private static func files(in directory: String, of session: String = "*") -> [SpooledFile] {
    let escaped = directory.map { "\\*?[".contains($0) ? "\\\($0)" : String($0) }.joined()
    var found = glob_t()
    defer { globfree(&found) }
    guard glob("\(escaped)/\(session)/*", 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { index in
      guard let path = found.gl_pathv[index].map({ String(cString: $0) }) else { return nil }
      let parts = path.split(separator: "/").suffix(2).map(String.init)
      let file = SpooledFile(session: parts[0], name: parts[1])
      // Somebody may have put other files there.
      return file.isOwn ? file : nil
    }
  }
}
