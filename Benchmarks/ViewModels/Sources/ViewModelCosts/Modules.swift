// SPDX-License-Identifier: MIT
import Euripus

/// Measures a refresh of a page of 1,000 modules, of which 0 to all have changed: items checked, items bound, time.
func measureModules() {
  let rounds = 501
  let page = ModulePage()
  let modules = (0..<1_000).map { TextModule("Module \($0)") }
  for module in modules { page.append(module) }

  for changed in [0, 1, 10, 1_000] {
    let (checks, refreshes) = (page.checks.value, page.refreshes.value)
    var times: [Duration] = []
    for round in 0..<rounds {
      for module in modules.prefix(changed) { module.text.bundle = "Changed \(changed) in round \(round)" }
      times.append(ContinuousClock().measure { page.refresh() })
    }
    print(
      "refresh of 1,000 modules, \(changed) changed: \((page.checks.value - checks) / rounds) checks, "
        + "\((page.refreshes.value - refreshes) / rounds) refreshes, \(microseconds(median(times))) us")
  }
}

func median(_ times: [Duration]) -> Duration { times.sorted()[times.count / 2] }

func microseconds(_ time: Duration) -> Double { (time / .microseconds(1) * 10).rounded() / 10 }
