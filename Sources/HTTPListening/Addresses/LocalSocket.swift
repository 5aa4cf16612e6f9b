// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// A Unix socket in the file system, for a listener that inherits it. Only this process's user can use its
/// file.
package struct LocalSocket: Sendable {
  package let descriptor: Int32
  private let path: String
  /// The state of the file when it was made.
  private let file: stat

  /// Takes the path. The file of a socket at which nobody listens any more is replaced.
  ///
  /// - Throws: `unusableSocket`, if a process listens there, or if the path has another file.
  package init(at path: String) throws(HTTPListeningError) {
    guard let address = LocalAddress(path) else {
      throw .unusableSocket(path: path, reason: "a path has 1 to 107 bytes")
    }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else {
      throw .systemRefused(what: "opening a socket", reason: String(cString: strerror(errno)))
    }
    do throws(HTTPListeningError) {
      if !address.bind(descriptor) {
        guard errno == EADDRINUSE else { throw Self.refused(path) }
        try Self.removeStale(path, address)
        guard address.bind(descriptor) else { throw Self.refused(path) }
      }
      // No client can connect before the socket listens.
      var status = stat()
      guard chmod(path, 0o600) == 0, lstat(path, &status) == 0 else { throw Self.refused(path) }
      (self.descriptor, self.path, file) = (descriptor, path, status)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func refused(_ path: String) -> HTTPListeningError {
    .unusableSocket(path: path, reason: String(cString: strerror(errno)))
  }

  private static func removeStale(_ path: String, _ address: LocalAddress) throws(HTTPListeningError) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
      throw .unusableSocket(path: path, reason: "there is a file that is no socket")
    }
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    defer { close(probe) }
    if probe < 0 || address.connect(probe) || errno != ECONNREFUSED {
      throw .unusableSocket(path: path, reason: "another server listens there")
    }
    guard unlink(path) == 0 else { throw refused(path) }
  }

  /// Removes the file, unless another file has taken its place.
  package func remove() {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_ino == file.st_ino, status.st_dev == file.st_dev else { return }
    unlink(path)
  }
}
