// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A living view model of a known type, with its graph and the changes of its outputs.
final class Hosted<Model: ViewModel>: HostedModel {
  private let graph = Graph()
  private let changes = Changes()
  private let model: Model
  private let nodes: [Node]
  /// Whether the state had each output when changes were last taken.
  private var presence: [Bool]
  private let surface: Surface<Model>

  init() throws {
    let surface = Model.surface
    let model = try graph.enter { try transaction(.undo) { try Model() } }
    let nodes = surface.outputs.map { $0.node(model) }
    self.surface = surface
    self.model = model
    self.nodes = nodes
    presence = zip(surface.outputs, nodes).map { $0.isPresent($1) }
    for (index, output) in surface.outputs.enumerated() { output.watch(nodes[index], changes, index) }
  }

  deinit { graph.close() }

  func close() { graph.close() }

  var outputNames: [String] { surface.outputNames }
  var outputPaths: [String] { surface.outputPaths }

  func takeChanges() -> [Int] {
    changes.take().filter { index in
      let isPresent = isPresent(index)
      defer { presence[index] = isPresent }
      // One set secret after another shows no difference.
      return isPresent || presence[index]
    }
  }

  func isPresent(_ output: Int) -> Bool { surface.outputs[output].isPresent(nodes[output]) }

  func canBeAbsent(_ output: Int) -> Bool { surface.outputs[output].access == .secret }

  func write(_ output: Int, to writer: inout JSONWriter) { surface.outputs[output].write(nodes[output], &writer) }

  func readableOutput(_ name: String) throws -> Int {
    let index = try index(of: name)
    if surface.outputs[index].access == .secret { throw SurfaceError.unreadable(name) }
    return index
  }

  func perform(_ name: String, _ value: JSON?) throws {
    guard let action = surface.actions.first(where: { $0.name == name }) else {
      throw SurfaceError.noSuchAction(name, model: surface.name, expected: surface.actions.map(\.name))
    }
    try guarded(by: action.condition, name) { try action.perform(model, value) }
  }

  func assign(_ name: String, _ value: JSON) throws {
    let index = try index(of: name)
    let output = surface.outputs[index]
    if output.access == .readOnly { throw SurfaceError.readOnly(name) }
    try guarded(by: output.condition, name) {
      do { try output.assign(nodes[index], value) } catch let mismatch as JSONMismatch {
        throw SurfaceError.mismatch(mismatch)
      }
    }
  }

  private func index(of name: String) throws -> Int {
    guard let index = surface.outputNames.firstIndex(of: name) else {
      throw SurfaceError.noSuchValue(name, model: surface.name, expected: surface.outputNames)
    }
    return index
  }

  /// One transaction in the view model's graph, if its condition holds.
  private func guarded(by condition: Surface<Model>.Condition?, _ name: String, _ body: () throws -> Void) throws {
    if let condition, !condition(model).value { throw SurfaceError.disabled(name) }
    try graph.enter { try transaction(.undo, body) }
  }
}
