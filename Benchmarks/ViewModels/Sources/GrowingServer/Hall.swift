// SPDX-License-Identifier: MIT
import Euripus

/// A room that everybody may enter, with a notice on its board.
final class Hall: ViewModel {
  let notice = Observable("")

  func post(_ text: String) { notice.value = text }

  static let surface = Surface<Hall>("hall", .value("notice", \.notice), .action("post", Hall.post))
}
