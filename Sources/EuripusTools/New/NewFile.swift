// SPDX-License-Identifier: MIT

/// A file of a new package, with the names of its template.
struct NewFile: Sendable {
  /// Its path in the package.
  var path: String
  var text: String
  let isExecutable: Bool

  init(_ path: String, isExecutable: Bool = false, text: String) {
    (self.path, self.text, self.isExecutable) = (path, text, isExecutable)
  }
}
