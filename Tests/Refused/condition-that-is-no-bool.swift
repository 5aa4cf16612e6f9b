// SPDX-License-Identifier: MIT
// expected error: 'action(_:_:when:)' is unavailable: the condition has to be a Bool, or an observable of one
import ObservableCore
import ViewModels

final class Page: ViewModel {
  var count = 0
  func add() {}

  static let surface = Surface<Page>("page", .action("add", Page.add, when: \.count))
}
