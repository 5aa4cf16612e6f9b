// SPDX-License-Identifier: MIT

/// The page of a hosted view model.
package struct HostedPage: Sendable {
  /// The ending of a page's file. A page is found without it too.
  package static let ending = ".html"

  /// The path that it lies at.
  package let path: String
  /// The page's file in the directory of static files.
  package let file: String
}
