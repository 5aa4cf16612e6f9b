// SPDX-License-Identifier: MIT

/// A script performed on the core and on its plain twin, side by side.
struct Comparison {
  let step: Int
  let core: Stage.Outcome
  let plain: Stage.Outcome

  /// The first step after which the two systems differ, if there is one.
  static func firstDifference(of script: Script) throws -> Comparison? {
    let core = try Stage(script, on: EuripusSystem())
    let plain = try Stage(script, on: PlainSystem())
    for (index, step) in script.steps.enumerated() {
      let comparison = Comparison(
        step: index, core: visible(core.perform(step), step, of: script),
        plain: visible(plain.perform(step), step, of: script))
      if comparison.core != comparison.plain { return comparison }
    }
    return nil
  }

  private static func visible(_ outcome: Stage.Outcome, _ step: Script.Step, of script: Script) -> Stage.Outcome {
    var outcome = outcome
    if !script.definesEvaluations(of: step) { outcome.evaluations = [] }
    if script.rigour == .rest { (outcome.told, outcome.combinerRuns) = ([], []) }
    return outcome
  }

  /// The script without the steps that the difference does not need, and the difference that it has then.
  static func shrink(_ script: Script) throws -> (script: Script, difference: Comparison)? {
    guard var difference = try firstDifference(of: script) else { return nil }
    var script = script
    script.steps.removeSubrange((difference.step + 1)...)
    var index = script.steps.count - 1
    while index >= 0 {
      var shorter = script
      shorter.steps.remove(at: index)
      if let found = try firstDifference(of: shorter) {
        shorter.steps.removeSubrange((found.step + 1)...)
        (script, difference) = (shorter, found)
        index = min(index, script.steps.count)
      }
      index -= 1
    }
    return (script, difference)
  }
}

extension Comparison: CustomStringConvertible {
  var description: String {
    """
    after step \(step)
      core:  \(core)
      plain: \(plain)
    """
  }
}
