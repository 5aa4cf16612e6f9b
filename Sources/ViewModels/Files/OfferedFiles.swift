// SPDX-License-Identifier: MIT
package import JSONPatching

/// A file that a session offers, and the place where its bytes are.
package struct OfferedFile: Sendable, Equatable {
  package enum Place: Sendable, Equatable {
    /// In the spool, under the key.
    case spool
    /// At a path of the app's.
    case path(String)
  }

  package let key: String
  package let name: String
  let size: Int
  package let place: Place
  /// Whether the first request that gets it is the last.
  package let isOnce: Bool
}

/// The files that a session offers, the one first that came first.
package struct OfferedFiles: Sendable, Equatable {
  /// The most files that a session offers at once.
  static let most = 100

  package private(set) var all: [OfferedFile] = []

  package init() {}

  package var isEmpty: Bool { all.isEmpty }

  package subscript(key: String) -> OfferedFile? { all.first { $0.key == key } }

  /// The file of the app's at a path, that is offered under a name until it is withdrawn.
  func lent(_ path: String, as name: String) -> OfferedFile? {
    all.first { $0.place == .path(path) && $0.name == name && !$0.isOnce }
  }

  mutating func add(_ file: OfferedFile) { all.append(file) }

  mutating func remove(_ key: String) { all.removeAll { $0.key == key } }
}

/// The form in which the store has it.
extension OfferedFiles {
  package var json: JSON {
    .array(
      all.map { file in
        let path: JSON = if case .path(let path) = file.place { .string(path) } else { .null }
        return [.string(file.key), .string(file.name), .integer(Int64(file.size)), path, .bool(file.isOnce)]
      })
  }

  /// The keys of the files, also of those in a form of a later version; `nil` where they cannot be read.
  package static func keys(stored json: JSON) -> Set<String>? {
    guard case .array(let rows) = json else { return nil }
    var keys: Set<String> = []
    for row in rows {
      guard case .array(let cells) = row, case .string(let key)? = cells.first else { return nil }
      keys.insert(key)
    }
    return keys
  }

  /// Reads the form of ``json``. A part of another form is left out.
  package init(stored json: JSON) {
    guard case .array(let rows) = json else { return }
    for case .array(let row) in rows where row.count == 5 {
      guard
        case (.string(let key), .string(let name), .integer(let size), .bool(let isOnce)) = (
          row[0], row[1], row[2], row[4]
        )
      else { continue }
      let place: OfferedFile.Place = if case .string(let path) = row[3] { .path(path) } else { .spool }
      add(OfferedFile(key: key, name: name, size: Int(size), place: place, isOnce: isOnce))
    }
  }
}
