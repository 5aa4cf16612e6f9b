// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A living view model of a known type, with its graph and the changes of its outputs.
final class Hosted<Model: ViewModel>: HostedModel {
  private let graph = Graph()
  private let changes = Changes()
  private let model: Model
  private let surface: Surface<Model>
  // Of the surface, held here because reaching into a generic type costs a look-up of its metadata each time.
  let labels: [OutputLabel]
  private let faces: [OutputFace]
  private let actionNames: [String]
  private let nodes: [Node]
  /// Whether the state had each output when changes were last taken.
  private var presence: [Bool]

  init() throws {
    let surface = Model.surface
    let model = try ViewModelFailure.wrapping { [graph] in try graph.enter { try transaction(.undo) { try Model() } } }
    let nodes = surface.outputs.map { $0.node(model) }
    self.surface = surface
    self.model = model
    self.nodes = nodes
    labels = surface.labels
    faces = surface.faces
    actionNames = surface.actionNames
    presence = zip(surface.faces, nodes).map { $0.isPresent?($1) ?? true }
    for (index, face) in faces.enumerated() { face.watch(nodes[index], changes, index) }
  }

  deinit { graph.close() }

  func close() { graph.close() }

  func live(in isolation: any Actor, didChange: @escaping () -> Void) {
    graph.isolation = isolation
    changes.didBegin = didChange
  }

  var leastStateLength: Int { surface.leastStateLength }

  func takeChanges() -> [Int] {
    var taken = changes.take()
    // One set secret after another shows no difference, so only a change of presence counts.
    for index in taken where faces[index].isPresent != nil {
      let isPresent = isPresent(index)
      if !isPresent, !presence[index] { taken.removeAll { $0 == index } }
      presence[index] = isPresent
    }
    return taken
  }

  func isPresent(_ output: Int) -> Bool { faces[output].isPresent?(nodes[output]) ?? true }

  func write(_ output: Int, to writer: inout JSONWriter) { faces[output].write(nodes[output], &writer) }

  func readableOutput(_ name: String) throws -> Int {
    let index = try index(of: name)
    if faces[index].access == .secret { throw SurfaceError.unreadable(name) }
    return index
  }

  func perform(_ name: String, _ value: JSON?) throws {
    guard let index = actionNames.firstIndex(of: name) else {
      throw SurfaceError.noSuchAction(name, model: surface.name, expected: actionNames)
    }
    let action = surface.actions[index]
    let perform = try action.prepare(value)
    try guarded(by: action.condition, name) { try perform(model) }
  }

  func assign(_ name: String, _ value: JSON) throws {
    let index = try index(of: name)
    if faces[index].access == .readOnly { throw SurfaceError.readOnly(name) }
    let assign = try faces[index].prepare(value)
    try guarded(by: surface.outputs[index].condition, name) { try assign(nodes[index]) }
  }

  private func index(of name: String) throws -> Int {
    guard let index = faces.firstIndex(where: { $0.label.name == name }) else {
      throw SurfaceError.noSuchValue(name, model: surface.name, expected: faces.map(\.label.name))
    }
    return index
  }

  /// One transaction in the view model's graph, if its condition holds.
  private func guarded(by condition: Surface<Model>.Condition?, _ name: String, _ body: () throws -> Void) throws {
    if let condition, !condition(model).value { throw SurfaceError.disabled(name) }
    try ViewModelFailure.wrapping { try graph.enter { try transaction(.undo, name: name, body) } }
  }
}
