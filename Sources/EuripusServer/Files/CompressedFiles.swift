// SPDX-License-Identifier: MIT
import HTTPListening
import Locking

/// The gzip forms of files. Each is made once for a file's bytes, on a thread of its own, and kept in memory.
///
/// A file is sent as it is if it is small, very large, of a type that is compressed already, or no smaller by
/// gzip.
final class CompressedFiles: Sendable {
  /// The sizes in bytes of files that are compressed.
  static let sizes = (HTTPResponse.longestPlain + 1)...(4 << 20)

  private let kept: Locked<KeptForms>
  private let queue: GzipQueue
  private let gzip: @Sendable ([UInt8]) -> [UInt8]?

  /// - Parameters:
  ///   - room: the most bytes that are kept.
  ///   - most: the most files that are compressed or wait for it at once.
  ///   - gzip: gives the form of bytes; `nil` if that is not smaller.
  init(
    room: Int = 16 << 20, most: Int = 16,
    gzip: @escaping @Sendable ([UInt8]) -> [UInt8]? = { Gzip.coded($0, .most) }
  ) {
    (kept, queue, self.gzip) = (Locked(KeptForms(room: room)), GzipQueue(most: most), gzip)
  }

  /// Whether a file is of a size and a type that may have a gzip form.
  static func mayHold(_ file: OpenedFile) -> Bool {
    sizes.contains(file.body.count) && MediaType.isWorthGzip(MediaType.ofFile(file.path))
  }

  /// The form of a file; `nil` if it has not been made.
  func form(of file: OpenedFile) -> KeptForms.Form? { kept.withLock { $0.form(of: file.stamp) } }

  /// Makes the form of a file, unless it is there, and calls `done` then. A file that changes meanwhile gets none.
  ///
  /// - Returns: `false` if too many files wait. Nothing is done then.
  func make(of file: OpenedFile, then done: @escaping @Sendable () -> Void) -> Bool {
    queue.run { [self] in
      if form(of: file) == nil, let bytes = file.body.bytes(), file.isUnchanged {
        let form = gzip(bytes).map { KeptForms.Form.gzip($0) } ?? .notSmaller
        kept.withLock { $0.keep(form, of: file.stamp) }
      }
      done()
    }
  }
}
