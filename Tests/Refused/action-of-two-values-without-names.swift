// SPDX-License-Identifier: MIT
// expected error: 'action(_:_:when:)' is unavailable: a method of several values has names for them: expected 'takes: "first", "second"'
import ObservableCore
import ViewModels

final class Page: ViewModel {
  func move(_ key: String, _ index: Int) {}

  static let surface = Surface<Page>("page", .action("move", Page.move))
}
