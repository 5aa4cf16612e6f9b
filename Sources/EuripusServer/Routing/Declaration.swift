// SPDX-License-Identifier: MIT
import ViewModels

/// The sort of thing that a view model declares at a path, for the methods that the path takes.
enum Declaration: Equatable {
  /// A value, or a part of one, that is only shown.
  case shown
  /// A value that is set, shown or not.
  case set
  case action
  /// A command, which is shown as well.
  case command
  /// A row of a kind that nobody named, which may have anything.
  case any

  func takes(_ route: Route) -> Bool {
    switch route.name {
    case "value": self != .action
    case "set": self == .set || self == .any
    case "perform": self == .action || self == .command || self == .any
    case "cancel": self == .command || self == .any
    default: false
    }
  }
}

extension Declaration {
  /// A surface that a path leads through, and how much of the path leads there.
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

  /// The declarations that a path leads to: several below rows of different kinds, none for a path to nothing.
  ///
  /// O(tokens × surfaces), though kinds of rows within each other make many more ways.
  static func all(in surface: SurfaceDescription, at path: [String]) -> [Declaration] {
    var found: [Declaration] = []
    var places = [Place(surface: surface, depth: 0)]
    var seen: Set<Place> = []
    while let place = places.popLast() {
      guard place.depth < path.count, seen.insert(place).inserted else { continue }
      let rest = path[(place.depth + 1)...]
      guard let form = place.surface.form(of: path[place.depth]) else { continue }
      guard let (surfaces, depth) = parts(of: form, rest) else {
        if let declaration = declaration(of: form, rest) { found.append(declaration) }
        continue
      }
      places += surfaces.map { Place(surface: $0(), depth: depth) }
    }
    return found
  }

  /// The surfaces that a path goes on in, and from where in it; `nil` where it ends in this one.
  private static func parts(
    of form: EntryForm, _ rest: ArraySlice<String>
  ) -> ([SurfaceDescription.Reference], depth: Int)? {
    switch form {
    case .nested(let child, _) where !rest.isEmpty: ([child], rest.startIndex)
    // After "items" and the key of a row.
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
    case .list(_, hasWindow: true) where rest.elementsEqual(["window"]): .set
    case .list(.kinds(nil), _) where rest.count > 2 && rest.first == "items": .any
    case .list: .shown
    }
  }
}

extension SurfaceDescription {
  /// The form of the entry of a name, compared by bytes.
  fileprivate func form(of name: String) -> EntryForm? {
    entries.first { $0.name.utf8.elementsEqual(name.utf8) }?.form
  }
}
