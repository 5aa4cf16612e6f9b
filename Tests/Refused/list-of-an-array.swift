// SPDX-License-Identifier: MIT
// expected error: 'list' is unavailable: the view follows a list by its keys: expected a 'KeyedList' of view models, or '.value' for an array
import ObservableCore
import ViewModels

final class Page: ViewModel {
  var rows: [Int] = []

  static let surface = Surface<Page>("page", .list("rows", \.rows))
}
