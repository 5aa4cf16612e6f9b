// SPDX-License-Identifier: MIT
import Glibc
import ViewModels

/// Files at paths: how they are read, compared and copied.
enum DiskFile {
  /// Copies a file to another file system. It is at its path once it is whole.
  ///
  /// - Returns: whether it was not there before.
  static func copy(_ path: String, to target: String) throws(FileFault) -> Bool {
    if access(target, F_OK) == 0 {
      if areSame(path, target) { return false }
      throw FileFault("there is another file at '\(target)'; expected a path at which there is none")
    }
    let part = target + ".part"
    do throws(SpoolWriter.Failure) { try copyBytes(of: path, to: part) } catch {
      Glibc.unlink(part)
      throw FileFault("'\(target)' cannot be written: \(error == .full ? "the disk is full" : "\(error)")")
    }
    defer { syncDirectory(of: target) }
    guard rename(part, target) == 0 else {
      throw FileFault("'\(target)' cannot be made: \(String(cString: strerror(errno)))")
    }
    return true
  }

  /// Has a new name in a directory survive a power cut.
  static func syncDirectory(of path: String) {
    let end = path.lastIndex(of: "/")
    let directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    Glibc.close(descriptor)
  }

  private static func copyBytes(of path: String, to part: String) throws(SpoolWriter.Failure) {
    // Each closes its descriptor, so the first one does if there is no second.
    let from = try opened(path, O_RDONLY)
    let to = try opened(part, O_RDWR | O_CREAT | O_TRUNC)
    try from.read(from: 0) { piece throws(SpoolWriter.Failure) in try to.write(piece) }
    try to.sync()
  }

  private static func opened(_ path: String, _ flags: Int32) throws(SpoolWriter.Failure) -> SpoolWriter {
    let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .failed(String(cString: strerror(errno))) }
    return SpoolWriter(descriptor: descriptor)
  }

  /// Whether two paths lead to one file, or to files with the same bytes.
  static func areSame(_ path: String, _ other: String) -> Bool {
    var (one, two) = (stat(), stat())
    guard stat(path, &one) == 0, stat(other, &two) == 0, one.st_size == two.st_size else { return false }
    if one.st_ino == two.st_ino, one.st_dev == two.st_dev { return true }
    return digest(of: path) == digest(of: other)
  }

  private static func digest(of path: String) -> Digest? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var hash = SHA256()
    do { try SpoolWriter(descriptor: descriptor).read(from: 0) { hash.update($0) } } catch { return nil }
    return hash.finish()
  }

  static func bytes(at path: String) -> [UInt8]? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var bytes: [UInt8] = []
    do { try SpoolWriter(descriptor: descriptor).read(from: 0) { bytes += $0 } } catch { return nil }
    return bytes
  }
}
