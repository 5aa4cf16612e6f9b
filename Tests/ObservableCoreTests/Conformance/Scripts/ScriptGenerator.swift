// SPDX-License-Identifier: MIT
import ObservableCore
import Seeded

/// Makes scripts from a seed: the same seed makes the same scripts.
struct ScriptGenerator {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func script(steps count: Int) -> Script {
    switch number(0..<4) {
    case 0: writing(count)
    case 1: cyclic(count)
    default: acyclic(count)
    }
  }

  // MARK: The three kinds

  /// A script in which no listener writes: everything is defined.
  private mutating func acyclic(_ count: Int) -> Script {
    var blueprint = Blueprint()
    addLayer(
      to: &blueprint, derived: number(2..<9), formulas: Formula.acyclic, strategies: [.every, .every, .all, .first])
    var script = Script(blueprint: blueprint, steps: [], rigour: .all)
    for _ in 0..<count { script.steps.append(step(blueprint, conduct: { $0.plainConduct(blueprint, layer: 0) })) }
    return script
  }

  /// A script in which listeners of the first layer's sources write the second layer's. Their order is defined,
  /// and so is the result.
  private mutating func writing(_ count: Int) -> Script {
    var blueprint = Blueprint()
    for _ in 0..<2 {
      addLayer(
        to: &blueprint, derived: number(1..<5), formulas: Formula.acyclic, strategies: [.every, .every, .all, .first])
    }
    var script = Script(blueprint: blueprint, steps: [], rigour: .allButEvaluations)
    for _ in 0..<count {
      script.steps.append(
        step(blueprint) { generator in
          let index = generator.number(0..<blueprint.parts.count)
          let layer = blueprint.layers[0].contains(index) ? 0 : 1
          if layer == 1 || !blueprint.isSource(index) || generator.number(0..<3) == 0 {
            return generator.plainConduct(blueprint, layer: layer, node: index)
          }
          let target = generator.source(of: blueprint, layer: 1)
          if generator.number(0..<3) == 0 { return (index, .change(target, plus: generator.number(1..<8))) }
          return (index, .write(target, plus: generator.number(0..<8)))
        })
    }
    return script
  }

  /// A script with cycles that settle, and with listeners that write. Their order is not defined, but the end is.
  private mutating func cyclic(_ count: Int) -> Script {
    var blueprint = Blueprint()
    let quiet: [Formula] = [.sum, .parity, .highest, .pick]
    var writers: [Script.Step] = []
    for layer in 0..<2 {
      let before = blueprint.parts.count
      addLayer(to: &blueprint, derived: number(1..<4), formulas: quiet, strategies: [.every])
      // Two combiners that are each other's inputs, and nodes that depend on them.
      let head = blueprint.parts.count
      blueprint.parts.append(.combiner(.every, .digits, of: [number(before..<head)]))
      blueprint.parts.append(.combiner(.every, .same, of: [head]))
      blueprint.lateInputs.append((combiner: head, input: head + 1))
      blueprint.parts.append(.computed(.sum, of: [head, number(before..<head)]))
      blueprint.parts.append(.combiner(.every, .sum, of: [head + 1, head + 2]))
      let nodes = before..<blueprint.parts.count
      blueprint.layers[layer] = nodes
      if layer == 0 {
        // Each source of the second layer has one listener that writes it, and nothing else writes it.
        for target in 0..<3 {
          writers.append(
            .listen(number(nodes), .write(nodes.upperBound + target, plus: number(0..<8)), replay: false))
        }
      }
    }
    let script = Script(
      blueprint: blueprint,
      steps: writers + (0..<count).map { _ in quietStep(blueprint) }, rigour: .rest)
    return script
  }

  // MARK: Parts

  private mutating func addLayer(
    to blueprint: inout Blueprint, derived: Int, formulas: [Formula], strategies: [CombineStrategy]
  ) {
    let start = blueprint.parts.count
    for _ in 0..<3 { blueprint.parts.append(.source(number(0..<4))) }
    for _ in 0..<derived {
      let inputs = (0..<number(1..<4)).map { _ in number(start..<blueprint.parts.count) }
      let formula = one(of: formulas)
      blueprint.parts.append(
        number(0..<2) == 0
          ? .computed(formula, of: inputs) : .combiner(one(of: strategies), formula, of: inputs))
    }
    blueprint.layers.append(start..<blueprint.parts.count)
  }

  // MARK: Steps

  private mutating func step(
    _ blueprint: Blueprint, conduct: (inout ScriptGenerator) -> (node: Int, Script.Conduct)
  ) -> Script.Step {
    let node = number(0..<blueprint.parts.count)
    let layer = number(0..<blueprint.layers.count)
    switch number(0..<32) {
    case 30..<32: return .act(.change(source(of: blueprint, layer: layer), plus: number(1..<8)))
    case 0..<9: return .act(.write(source(of: blueprint, layer: layer), number(0..<8)))
    case 9..<17:
      let actions = (0..<number(1..<6)).map { _ in action(blueprint, layer: layer, depth: 0) }
      return .batch(number(0..<3) == 0 ? .undo : .finish, actions, fails: number(0..<8) == 0)
    case 17..<21:
      let (node, conduct) = conduct(&self)
      return .listen(node, conduct, replay: number(0..<4) == 0 && !blueprint.isComputed(node))
    case 21: return .listenAgain(number(0..<4), to: node)
    case 22: return .remove(number(0..<4), from: node)
    case 23: return .dispose(number(0..<8))
    case 24: return number(0..<3) == 0 ? .drop(node) : .act(.read(node))
    case 25..<28: return .act(.read(node))
    default: return .readAll
    }
  }

  /// A step that neither listens nor throws, and writes only the first layer.
  private mutating func quietStep(_ blueprint: Blueprint) -> Script.Step {
    switch number(0..<11) {
    case 10: .act(.change(source(of: blueprint, layer: 0), plus: number(1..<8)))
    case 0..<5: .act(.write(source(of: blueprint, layer: 0), number(0..<8)))
    case 5..<8:
      .batch(
        .finish, (0..<number(1..<6)).map { _ in .write(source(of: blueprint, layer: 0), number(0..<8)) }, fails: false)
    case 8: .act(.read(number(0..<blueprint.parts.count)))
    default: .readAll
    }
  }

  private mutating func action(_ blueprint: Blueprint, layer: Int, depth: Int) -> Script.Action {
    switch number(0..<10) {
    case 0..<5: return .write(source(of: blueprint, layer: layer), number(0..<8))
    case 8, 9: return .change(source(of: blueprint, layer: layer), plus: number(1..<8))
    case 5 where depth < 2:
      let actions = (0..<number(1..<4)).map { _ in action(blueprint, layer: layer, depth: depth + 1) }
      return .batch(actions, fails: number(0..<2) == 0)
    default: return .read(number(0..<blueprint.parts.count))
    }
  }

  private mutating func plainConduct(
    _ blueprint: Blueprint, layer: Int, node: Int? = nil
  ) -> (node: Int, Script.Conduct) {
    let node = node ?? number(blueprint.layers[layer])
    switch number(0..<5) {
    case 0: return (node, .refuse)
    case 1 where !blueprint.isStatic, 2 where !blueprint.isStatic:
      return (node, .look(at: number(blueprint.layers[layer])))
    default: return (node, .record)
    }
  }

  // MARK: Choices

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func one<Element>(of elements: [Element]) -> Element { elements[number(0..<elements.count)] }

  /// The index of a source: each layer begins with its three sources.
  private mutating func source(of blueprint: Blueprint, layer: Int) -> Int {
    blueprint.layers[layer].lowerBound + number(0..<3)
  }
}
