// SPDX-License-Identifier: MIT

/// A claim on some code that holds for any bytes at all: it does not trap, and its answers fit together.
package struct Property: Sendable {
  /// The error for bytes for which the property does not hold.
  package struct Violated: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
  }

  /// The name of its corpus in Fuzzing/Corpus.
  package let name: String
  /// - Throws: ``Violated``.
  package let check: @Sendable ([UInt8]) throws -> Void

  package static let all = [json, pointer, patch, requests, target, fields, batch]

  /// Throws ``Violated`` unless something is so.
  static func want(_ isSo: Bool, _ text: @autoclosure () -> String) throws {
    if !isSo { throw Violated(text()) }
  }
}
