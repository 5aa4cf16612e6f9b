// SPDX-License-Identifier: MIT
public import Euripus

/// A message that stays until it is closed. Its owner handles `close`.
public final class AlertViewModel: ViewModel {
  @Observed var title: String
  @Observed var text: String
  @Observed var button: String
  let close = Observer<Void>()

  init(_ title: String, _ text: String, button: String) {
    (self.title, self.text, self.button) = (title, text, button)
  }

  public static let surface = Surface<AlertViewModel>(
    "alert", .value("title", \.$title), .value("text", \.$text), .value("button", \.$button), .action("close", \.close))
}
