// SPDX-License-Identifier: MIT
// expected error: cannot find 'self' in scope; did you mean to use it in a type or extension context?
import ObservableCore
import ViewModels

final class Page: ViewModel {
  @Observed var count = 0
  let doubled = Computed(self) { $0.count * 2 }

  static let surface = Surface<Page>("page", .value("doubled", \.doubled))
}
