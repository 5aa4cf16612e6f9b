// SPDX-License-Identifier: MIT
// expected error: sending 'names' risks causing data races
import EventSequences
import ObservableCore

actor Owner {
  let name = Observable("")

  func leak() async {
    let names = name.asSequence()
    await MainActor.run { _ = names.subscribe { _ in } }
  }
}
