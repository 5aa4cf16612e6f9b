// SPDX-License-Identifier: MIT
// expected error: 'value' is unavailable: the view follows what is observed: expected '@Observed var name' as '\.$name', or a 'Computed' as '\.name'
import ObservableCore
import ViewModels

final class Page: ViewModel {
  var count = 0

  static let surface = Surface<Page>("page", .value("count", \.count))
}
