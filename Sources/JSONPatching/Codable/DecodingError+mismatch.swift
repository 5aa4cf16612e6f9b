// SPDX-License-Identifier: MIT

/// A mismatch as an error of the kind that an `init(from:)` throws.
extension DecodingError {
  init(_ mismatch: JSONMismatch, at path: [any CodingKey]) {
    self = .dataCorrupted(Context(codingPath: path, debugDescription: "\(mismatch)", underlyingError: mismatch))
  }

  /// The mismatch from which the error was made; nil for any other error.
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
  /// The same mismatch, seen from the beginning of the path.
  func nested(under path: [any CodingKey]) -> JSONMismatch {
    path.reversed().reduce(self) { mismatch, key in mismatch.nested(under: key.stringValue) }
  }
}
