// SPDX-License-Identifier: MIT
import Foundation

/// The files of a package that an author edits, as they were when they were looked at.
struct WatchedFiles {
  /// The directories of the sources, and the directory of the pages.
  let sources: [String]
  let pages: String
  private var known: [String: Stamp] = [:]

  /// A file's mark, which an edit changes.
  private struct Stamp: Equatable {
    let changed: Date
    let size: UInt64
    let number: UInt64
  }

  /// The files that were edited, made or removed.
  struct Edits {
    /// Whether the program has to be built anew.
    var isOfProgram = false
    /// The paths of the pages' files as a browser asks for them, such as `/todo.css`.
    var pages: [String] = []
    var isEmpty: Bool { !isOfProgram && pages.isEmpty }
  }

  init(sources: [String], pages: String) {
    (self.sources, self.pages) = (sources, pages)
    known = Self.look(at: sources + [pages])
  }

  /// Looks at all files. O(the files).
  ///
  /// - Returns: what has changed since the last look.
  mutating func look() -> Edits {
    let found = Self.look(at: sources + [pages])
    defer { known = found }
    var edits = Edits()
    for path in Set(found.keys).union(known.keys) where found[path] != known[path] {
      if path.hasPrefix("\(pages)/") {
        edits.pages.append(String(path.dropFirst(pages.count)))
      } else {
        edits.isOfProgram = true
      }
    }
    edits.pages.sort()
    return edits
  }

  private static func look(at places: [String]) -> [String: Stamp] {
    var found: [String: Stamp] = [:]
    for place in places + ["Package.swift"] {
      // A place that is a file has no files in it.
      let inside = FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String } ?? []
      for path in [place] + inside.map({ "\(place)/\($0)" }) where !isHidden(path) {
        if let stamp = stamp(of: path) { found[path] = stamp }
      }
    }
    return found
  }

  /// Editors keep their own files beside those that they edit.
  private static func isHidden(_ path: String) -> Bool {
    path.split(separator: "/").contains { $0.hasPrefix(".") && $0 != "." && $0 != ".." } || path.hasSuffix("~")
  }

  private static func stamp(of path: String) -> Stamp? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let attributes, attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
    return Stamp(
      changed: attributes[.modificationDate] as? Date ?? .distantPast, size: attributes[.size] as? UInt64 ?? 0,
      number: attributes[.systemFileNumber] as? UInt64 ?? 0)
  }
}
