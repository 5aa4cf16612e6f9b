// SPDX-License-Identifier: MIT
import EuripusServer
import JSONPatching
package import ViewModels

/// A view model as types, for programs that are its clients: its state, the values and actions that a client may
/// write and perform, and the problems that it may meet.
///
/// The same surface always gives the same text.
package struct ModelTypes {
  /// One value that a client may write, or one action that it may perform.
  struct Place {
    /// The path below `state/` or `actions/`, with `{key}` for the key of a row.
    let path: String
    /// `nil` for one that takes no value.
    let takes: TypeShape?
    /// `nil` for one without a result.
    let result: TypeShape?
    let isCommand: Bool
    let about: String?
  }

  struct Definition {
    let name: String
    let shape: TypeShape
    let about: String?
  }

  let name: String
  /// The view model's name, in the form that begins the names of its types.
  let base: String
  let about: String?
  /// The name of the state's type, the first of the definitions.
  let state: String
  let definitions: [Definition]
  let values: [Place]
  let actions: [Place]
  let params: TypeShape?
  /// The kinds of problems that a client may meet, in the order of the protocol.
  let problems: [String]

  package init(_ model: SurfaceDescription) {
    let word = SchemaName.of(model.name)
    (name, base, about) = (model.name, TypeName.of(word), model.about)
    var schemas = StateSchemas()
    OpenAPIMessages.place(in: &schemas.shelf)
    for taken in TypeName.taken(besides: word) { _ = schemas.shelf.reserve(taken) }
    let state = schemas.state(of: model)
    let paths = SurfacePaths(model, &schemas)
    let params = model.params.map { schemas.shelf.place($0, named: word + "Params") }
    let reader = TypeShapeReader(schemas.shelf)
    values = paths.values.compactMap { path, leaves in
      let place = Self.place(path, leaves, reader)
      return place.takes == nil ? nil : place
    }
    actions = paths.actions.map { path, leaves in Self.place(path, leaves, reader) }
    self.params = params.map(reader.shape)
    let root = reader.shape(of: state)
    self.state = root.names.first ?? ""
    let roots = [root] + (values + actions).flatMap { [$0.takes, $0.result] }.compactMap(\.self)
    definitions = Self.definitions(reader, of: roots + [self.params].compactMap(\.self))
    problems = Self.problems(paths)
  }

  private static func place(_ path: String, _ leaves: [SurfacePaths.Leaf], _ reader: TypeShapeReader) -> Place {
    var results: [JSONSchema] = []
    for leaf in leaves {
      switch leaf.form {
      case .action(_, let result?, _), .command(_, let result): results.append(result)
      case .action(_, nil, _), .value, .secret: break
      }
    }
    let result = JSONSchema.anyDifferent(of: results).map(reader.shape)
    let abouts: [String] = leaves.compactMap(\.about).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    return Place(
      path: path, takes: JSONSchema.anyDifferent(of: leaves.compactMap(\.taken)).map(reader.shape),
      result: result.flatMap { if case .null = $0 { nil } else { $0 } },
      isCommand: leaves.contains(where: \.isCommand), about: abouts.isEmpty ? nil : abouts.joined(separator: " "))
  }

  /// All definitions that some types need, each once, in the order in which they are met.
  private static func definitions(_ reader: TypeShapeReader, of roots: [TypeShape]) -> [Definition] {
    var definitions: [Definition] = []
    var next = roots.flatMap(\.names)
    var index = 0
    while index < next.count {
      let name = next[index]
      index += 1
      if definitions.contains(where: { $0.name == name }) { continue }
      let (shape, about) = reader.definition(of: name)
      definitions.append(Definition(name: name, shape: shape, about: about))
      next += shape.parts.flatMap(\.names)
    }
    return definitions
  }

  /// The problems of opening, following, changing and closing.
  private static func problems(_ paths: SurfacePaths) -> [String] {
    var kinds = Problem.Kind.anywhere
    for route in RouteTable.all.routes where route.path.isOfModel {
      switch route.name {
      case "open", "read", "changes", "close": kinds += route.problems
      case "set": for (_, leaves) in paths.values { kinds += problems(of: route, leaves) }
      case "perform", "cancel": for (_, leaves) in paths.actions { kinds += problems(of: route, leaves) }
      default: break
      }
    }
    return Problem.Kind.allCases.filter(kinds.contains).map(\.rawValue)
  }

  private static func problems(of route: Route, _ leaves: [SurfacePaths.Leaf]) -> [Problem.Kind] {
    let use = OpenAPIUse(route, leaves)
    return use.isPossible ? route.problems.filter(use.canMeet) : []
  }
}
