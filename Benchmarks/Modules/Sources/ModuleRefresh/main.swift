// SPDX-License-Identifier: MIT
// What a refresh of a page of 1,000 modules costs, by how many of them have changed: items looked at, items bound, time.
import Euripus

let rounds = 500
let page = ModulePage()
let modules = (0..<1_000).map { TextModule("Module \($0)") }
for module in modules { page.append(module) }

for changed in [0, 1, 10, 1_000] {
  let (checks, refreshes) = (page.checks.value, page.refreshes.value)
  var took = Duration.zero
  for round in 0..<rounds {
    for module in modules.prefix(changed) { module.text.bundle = "Changed \(changed) in round \(round)" }
    took += ContinuousClock().measure { page.refresh() }
  }
  let microseconds = took / rounds / .microseconds(1)
  print(
    "\(changed) changed: \((page.checks.value - checks) / rounds) checks, "
      + "\((page.refreshes.value - refreshes) / rounds) refreshes, \(Int(microseconds.rounded())) us a refresh")
}
