// SPDX-License-Identifier: MIT
public import Euripus

/// A message that stays until it is closed. Its owner handles `close`.
public final class AlertViewModel: ViewModel {
  let title: Observable<String>
  let text: Observable<String>
  let button: Observable<String>
  let close = Observer<Void>()

  init(_ title: String, _ text: String, button: String) {
    self.title = Observable(title)
    self.text = Observable(text)
    self.button = Observable(button)
  }

  public static let surface = Surface<AlertViewModel>(
    "alert", .value("title", \.title), .value("text", \.text), .value("button", \.button), .action("close", \.close))
}
