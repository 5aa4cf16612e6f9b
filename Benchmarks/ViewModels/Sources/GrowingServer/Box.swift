// SPDX-License-Identifier: MIT
import Euripus

/// A place for one file, however large.
final class Box: ViewModel {
  let files: Uploads

  init(_ context: SessionContext) { files = Uploads(context, each: .gigabytes(2)) }

  static let surface = Surface<Box>("files", .uploads("files", \.files))
}
