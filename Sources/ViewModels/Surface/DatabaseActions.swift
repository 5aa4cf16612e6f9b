// SPDX-License-Identifier: MIT

/// The actions of a view model that take the database, with those of its parts and rows.
package struct DatabaseActions: Sendable {
  private var names: Set<String> = []
  /// The names of actions whose code runs once for a request, whatever comes of it.
  private var onceOnly: Set<String> = []

  package init() {}

  init(of description: SurfaceDescription) {
    add(description.entries)
    _ = description.firstPart { part in
      add(part.entries)
      return false
    }
  }

  private mutating func add(_ entries: [EntryDescription]) {
    for entry in entries where entry.isAction {
      if entry.databaseUse != nil { names.insert(entry.name) }
      if entry.databaseUse != .repeatable { onceOnly.insert(entry.name) }
    }
  }

  package var isEmpty: Bool { names.isEmpty }

  /// Whether one of the changes may take the database, by its name.
  package func areAmong(_ changes: [Change?]) -> Bool {
    if names.isEmpty { return false }
    return changes.contains { change in Self.action(change).map { names.contains($0) } ?? false }
  }

  /// Whether the code of all changes may run once more.
  package func mayRepeat(_ changes: [Change?]) -> Bool {
    changes.allSatisfy { change in Self.action(change).map { !onceOnly.contains($0) } ?? false }
  }

  private static func action(_ change: Change?) -> String? {
    guard let change, case .perform = change.verb else { return nil }
    return change.path.last
  }
}

extension EntryDescription {
  fileprivate var isAction: Bool {
    switch form {
    case .action, .command: true
    case .value, .secret, .nested, .list, .uploads: false
    }
  }
}
