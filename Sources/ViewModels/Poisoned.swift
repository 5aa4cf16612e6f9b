// SPDX-License-Identifier: MIT

/// The error that stands for running code of a view model by which a server has crashed before (PROTOCOL §9).
package struct Poisoned: Error, CustomStringConvertible {
  package init() {}

  package var description: String {
    "the server crashed when it did this before; it is not done again, and the operator has a report"
  }
}
