// SPDX-License-Identifier: MIT

/// A mismatch as the error that an `init(from:)` knows.
extension DecodingError {
  init(_ mismatch: JSONMismatch, at path: [any CodingKey]) {
    self = .dataCorrupted(Context(codingPath: path, debugDescription: "\(mismatch)", underlyingError: mismatch))
  }

  /// The mismatch that the error was made of.
  var mismatch: JSONMismatch? {
    switch self {
    case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context):
      context.underlyingError as? JSONMismatch
    @unknown default: nil
    }
  }
}

extension JSONMismatch {
  /// The same mismatch, seen from where the path begins.
  func nested(under path: [any CodingKey]) -> JSONMismatch {
    path.reversed().reduce(self) { mismatch, key in mismatch.nested(under: key.stringValue) }
  }
}
