// SPDX-License-Identifier: MIT
import Glibc

/// The text that tests type where a person would type a secret: 12 letters and digits that occur nowhere else, so that the
/// referee can search for them in everything that a server gave out.
///
/// By default each process makes another one. `EURIPUS_CANARY` gives the one that the referee knows.
package enum Canary {
  package static let value: String = {
    if let given = getenv("EURIPUS_CANARY") { return String(cString: given) }
    return String((0..<12).map { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement() ?? "a" })
  }()
}
