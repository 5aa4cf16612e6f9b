// SPDX-License-Identifier: MIT
import Glibc
import Synchronization

/// A part of an open file that is sent as the body of one response.
///
/// No part of it is held in memory: it is read as the client takes it. If the file changes meanwhile, each part
/// is sent as it then is. If the file has become shorter, the connection is closed, or cut off for taking too
/// long, before the body is whole. So the client sees that the body is not whole.
package struct HTTPFile: Sendable {
  /// A descriptor and the right to close it. This object has the right until a response with it is queued, and
  /// libmicrohttpd from then on. If no response is queued, the descriptor is closed with the last copy of the
  /// file.
  private final class Owner: Sendable {
    private let descriptor: Atomic<Int32>

    init(_ descriptor: Int32) { self.descriptor = Atomic(descriptor) }

    deinit { if let descriptor = take() { close(descriptor) } }

    /// - Returns: `nil` if the descriptor was taken before.
    func take() -> Int32? {
      let descriptor = descriptor.exchange(-1, ordering: .acquiringAndReleasing)
      return descriptor >= 0 ? descriptor : nil
    }

    /// - Returns: `nil` if the file has fewer bytes there, or cannot be read.
    func bytes(from offset: Int, count: Int) -> [UInt8]? {
      let descriptor = descriptor.load(ordering: .acquiring)
      var bytes: [UInt8] = []
      bytes.reserveCapacity(count)
      var piece = [UInt8](repeating: 0, count: min(count, 65_536))
      while bytes.count < count {
        let number = pread(descriptor, &piece, min(piece.count, count - bytes.count), off_t(offset + bytes.count))
        if number < 0, errno == EINTR { continue }
        guard number > 0 else { return nil }
        bytes += piece[..<number]
      }
      return bytes
    }
  }

  private let owner: Owner
  /// The place of the first byte.
  package let offset: Int
  /// The number of bytes that are sent.
  package let count: Int

  /// - Parameters:
  ///   - descriptor: An open file that can be read at any place. This value owns it, and closes it.
  ///   - count: The number of bytes of the file.
  package init(descriptor: Int32, count: Int) { self.init(Owner(descriptor), 0, count) }

  private init(_ owner: Owner, _ offset: Int, _ count: Int) {
    precondition(offset >= 0 && count >= 0, "no part of a file: \(count) bytes from \(offset) on")
    (self.owner, self.offset, self.count) = (owner, offset, count)
  }

  /// A part of this file, counted from its first byte. Only one of the two can be sent.
  package subscript(range: Range<Int>) -> HTTPFile {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "\(range) is not within \(count) bytes")
    return HTTPFile(owner, offset + range.lowerBound, range.count)
  }

  /// The bytes of this part, as the file has them now; `nil` if it has fewer, or cannot be read. To be called
  /// before a response with it is queued. O(bytes).
  package func bytes() -> [UInt8]? { owner.bytes(from: offset, count: count) }

  /// The descriptor, which the caller has to close; `nil` if a response with it was queued before.
  func takeDescriptor() -> Int32? { owner.take() }
}
