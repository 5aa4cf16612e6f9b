// SPDX-License-Identifier: MIT
import Foundation

/// The place of Euripus, as a new package names it.
struct Dependency {
  /// The version that this program is of.
  static let version = "0.1.0"

  /// The address of the repository. Nobody can own a name in `example`, so that nothing else is fetched before there is
  /// a release: Decisions/0069-tools-of-developers.md.
  static let address = "https://euripus.example/euripus.git"

  /// The item of `dependencies` in `Package.swift`.
  let item: String
  /// The folder that has the guides and the client's files, from the package or as a whole path.
  let sources: String

  /// - Parameter place: the address of a repository, or a folder on this machine.
  init(_ place: String) {
    if place.contains("://") || place.hasPrefix("git@") {
      item = #".package(url: "\#(place)", from: "\#(Self.version)")"#
      sources = ".build/checkouts/euripus"
    } else {
      sources = URL(fileURLWithPath: place).standardizedFileURL.path
      item = #".package(name: "euripus", path: "\#(sources)")"#
    }
  }
}
