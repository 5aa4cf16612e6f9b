// SPDX-License-Identifier: MIT
import ObservableCore

/// The entries of a surface that take changes, by their names.
struct SurfaceInputs: Sendable {
  private let all: [SurfaceInput]

  init(_ all: [SurfaceInput]) { self.all = all }

  var names: [String] { all.map(\.name) }

  /// The possible beginnings of a path, for a client that gave another one.
  var expected: [String] { all.map { $0.isPart ? $0.name + "/…" : $0.name } }

  /// - Returns: `nil` if no entry takes a change at this path.
  func prepare(
    _ change: Change, _ path: ArraySlice<String>, _ model: AnyObject
  ) throws(SurfaceError) -> PreparedChange? {
    guard let name = path.first, let input = all.first(where: { $0.name.isName(name) }) else { return nil }
    guard input.isPart || path.count == 1 else { return nil }
    return try input.prepare(model, change, path.dropFirst())
  }
}

/// The side of an entry that takes changes, for a view model of any type. It is not generic, as a loop over an
/// array of a generic type makes the runtime look up that type each time.
final class SurfaceInput: Sendable {
  typealias Prepare<Model> =
    @Sendable (Model, Change, ArraySlice<String>) throws(SurfaceError) -> PreparedChange

  let name: String
  /// Whether paths go on below its name.
  let isPart: Bool
  let prepare: Prepare<AnyObject>

  init<Model: AnyObject>(
    _: Model.Type, _ name: String, isPart: Bool = false, _ prepare: @escaping Prepare<Model>
  ) {
    self.name = name
    self.isPart = isPart
    self.prepare = { model, change, path throws(SurfaceError) in
      guard let model = model as? Model else { stopProgram(bug: "a surface was handed a view model of another") }
      return try prepare(model, change, path)
    }
  }
}
