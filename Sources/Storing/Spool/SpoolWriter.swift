// SPDX-License-Identifier: MIT
import Glibc
import Locking

/// The writing of one request's bytes into a file of the spool. A later request for the same file ends it.
package final class SpoolWriter: Sendable {
  package enum Failure: Error, Equatable {
    /// Another request writes the file now, or it was removed.
    case ended
    /// The disk has no room.
    case full
    case failed(String)
  }

  private struct State {
    /// -1 once it is over.
    var descriptor: Int32
    var size: Int
  }

  private let state: Locked<State>

  /// - Parameter descriptor: of the file, open for reading and writing. It is closed with this.
  init(descriptor: Int32) { state = Locked(State(descriptor: descriptor, size: 0)) }

  deinit { end() }

  /// Has it write behind the bytes that are there.
  func goToEnd() {
    state.withLock { state in
      var status = stat()
      if fstat(state.descriptor, &status) == 0 { state.size = Int(status.st_size) }
    }
  }

  /// The bytes that are there.
  package var size: Int { state.withLock(\.size) }

  /// Adds bytes at the end. It waits for the disk.
  package func write(_ bytes: [UInt8]) throws(Failure) {
    try state.withLock { state throws(Failure) in
      if state.descriptor < 0 { throw .ended }
      var rest = bytes
      while !rest.isEmpty {
        let count = pwrite(state.descriptor, rest, rest.count, off_t(state.size))
        if count < 0 {
          if errno == EINTR { continue }
          throw Self.failure(errno)
        }
        rest.removeFirst(count)
        state.size += count
      }
    }
  }

  /// Drops the bytes from a place on.
  package func cut(to size: Int) throws(Failure) {
    try state.withLock { state throws(Failure) in
      if state.descriptor < 0 { throw .ended }
      guard ftruncate(state.descriptor, off_t(size)) == 0 else { throw Self.failure(errno) }
      state.size = size
    }
  }

  /// Waits until the bytes are on the disk.
  package func sync() throws(Failure) {
    let descriptor = try state.withLock { state throws(Failure) in
      if state.descriptor < 0 { throw .ended }
      return dup(state.descriptor)
    }
    guard descriptor >= 0 else { throw Self.failure(errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Self.failure(errno) }
  }

  /// The first bytes, as many as there are of them.
  package func first(_ count: Int) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = try state.withLock { state throws(Failure) in
      if state.descriptor < 0 { throw .ended }
      return pread(state.descriptor, &bytes, count, 0)
    }
    guard found >= 0 else { throw Self.failure(errno) }
    return Array(bytes[..<found])
  }

  /// Gives the bytes from a place on, piece by piece.
  package func read(from start: Int, _ take: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    var offset = start
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = try state.withLock { state throws(Failure) in
        if state.descriptor < 0 { throw .ended }
        return pread(state.descriptor, &piece, piece.count, off_t(offset))
      }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw Self.failure(errno) }
      if count == 0 { return }
      try take(Array(piece[..<count]))
      offset += count
    }
  }

  /// Ends it: nothing more is written.
  package func end() {
    let descriptor = state.withLock { state in
      defer { state.descriptor = -1 }
      return state.descriptor
    }
    if descriptor >= 0 { close(descriptor) }
  }

  private static func failure(_ error: Int32) -> Failure {
    error == ENOSPC || error == EDQUOT || error == EFBIG ? .full : .failed(String(cString: strerror(error)))
  }
}
