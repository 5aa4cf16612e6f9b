// SPDX-License-Identifier: MIT
import Euripus

/// One value with many observers. Each counts when it is told.
final class Observed: ViewModel {
  let text = Observable("")
  let change = Observer<String>()
  private var told = 0

  init(by count: Int) {
    change.handle(self) { page, text in page.text.value = text }
    for _ in 0..<count { text.addObserver(Observer(self) { page, _ in page.told += 1 }) }
  }

  static let surface = Surface<Observed>("observed", .value("text", \.text), .action("change", \.change))
}
