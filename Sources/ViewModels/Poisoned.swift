// SPDX-License-Identifier: MIT

/// Thrown in place of running a view model's code that a server has died of before (PROTOCOL §9).
package struct Poisoned: Error, CustomStringConvertible {
  package init() {}

  package var description: String {
    "the server crashed when it did this before; it is not done again, and the operator has a report"
  }
}
