// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

/// The kind of entry that a view model declares at a path. It decides which methods the path takes.
enum Declaration: Equatable {
  /// A value, or a part of one, that is shown and cannot be set.
  case shown
  /// A value that can be set, whether or not it is shown.
  case set
  case action
  /// A command, which is shown too.
  case command
  /// Files that clients send.
  case uploads
  /// Any kind: the path is below a row whose kind is not declared.
  case any

  func takes(_ route: Route) -> Bool {
    switch route.name {
    case "value": self != .action
    case "set": self == .set || self == .any
    case "perform": self == .action || self == .command || self == .any
    case "cancel": self == .command || self == .any
    case "upload": self == .uploads || self == .any
    default: false
    }
  }
}

extension Declaration {
  /// A surface on the way of a path, and the number of the path's parts that lead to it.
  private struct Place: Hashable {
    let surface: SurfaceDescription
    let depth: Int

    static func == (one: Place, other: Place) -> Bool {
      one.surface.identity == other.surface.identity && one.depth == other.depth
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(surface.identity)
      hasher.combine(depth)
    }
  }

  /// The declarations at a path. There are several below rows of different kinds, and none if the path leads to
  /// nothing.
  ///
  /// O(tokens × surfaces), although kinds of rows within each other make many more ways.
  static func all(in surface: SurfaceDescription, at path: [String]) -> [Declaration] {
    entries(in: surface, at: path).compactMap { declaration(of: $0.form, $0.rest) }
  }

  /// The types of the values that actions at a path take. An action without a value has `nil` in it.
  ///
  /// - Returns: `nil` if an action there may be of a kind that is not declared.
  static func taken(in surface: SurfaceDescription, at path: [String]) -> [JSONSchema?]? {
    var found: [JSONSchema?] = []
    for (form, rest) in entries(in: surface, at: path) {
      switch form {
      case .action(let taken, _, _) where rest.isEmpty: found.append(taken)
      case .command(let taken, _) where rest.isEmpty: found.append(taken)
      case .list(.kinds(nil), _): return nil
      default: break
      }
    }
    return found
  }

  /// The entries at a path, each with the part of the path that is behind its name.
  private static func entries(
    in surface: SurfaceDescription, at path: [String]
  ) -> [(form: EntryForm, rest: ArraySlice<String>)] {
    var found: [(form: EntryForm, rest: ArraySlice<String>)] = []
    var places = [Place(surface: surface, depth: 0)]
    var seen: Set<Place> = []
    while let place = places.popLast() {
      guard place.depth < path.count, seen.insert(place).inserted else { continue }
      let rest = path[(place.depth + 1)...]
      guard let form = place.surface.form(of: path[place.depth]) else { continue }
      guard let (surfaces, depth) = parts(of: form, rest) else {
        found.append((form, rest))
        continue
      }
      places += surfaces.map { Place(surface: $0(), depth: depth) }
    }
    return found
  }

  /// The surfaces in which a path goes on, and the index in the path from which it does; `nil` if it ends in
  /// this one.
  private static func parts(
    of form: EntryForm, _ rest: ArraySlice<String>
  ) -> ([SurfaceDescription.Reference], depth: Int)? {
    switch form {
    case .nested(let child, _) where !rest.isEmpty, .uploads(let child) where !rest.isEmpty: ([child], rest.startIndex)
    // The path goes on after "items" and the key of a row.
    case .list(.same(let row), _) where rest.count > 2 && rest.first == "items": ([row], rest.startIndex + 2)
    case .list(.kinds(let kinds?), _) where rest.count > 2 && rest.first == "items": (kinds, rest.startIndex + 2)
    default: nil
    }
  }

  private static func declaration(of form: EntryForm, _ rest: ArraySlice<String>) -> Declaration? {
    switch form {
    case .value(_, let isWritable, _): isWritable && rest.isEmpty ? .set : .shown
    case .secret: rest.isEmpty ? .set : nil
    case .action: rest.isEmpty ? .action : nil
    case .command: rest.isEmpty ? .command : .shown
    case .nested: .shown
    case .uploads: .uploads
    case .list(_, hasWindow: true) where rest.elementsEqual(["window"]): .set
    case .list(.kinds(nil), _) where rest.count > 2 && rest.first == "items": .any
    case .list: .shown
    }
  }
}

extension SurfaceDescription {
  /// The form of the entry with a name, which is compared by bytes.
  fileprivate func form(of name: String) -> EntryForm? {
    entries.first { $0.name.utf8.elementsEqual(name.utf8) }?.form
  }
}
