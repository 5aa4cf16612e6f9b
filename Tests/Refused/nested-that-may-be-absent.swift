// SPDX-License-Identifier: MIT
// expected error: 'nested' is unavailable: a view model that may be absent has to be observed
import ObservableCore
import ViewModels

final class Page: ViewModel {
  var child: Page?

  static let surface = Surface<Page>("page", .nested("child", \.child))
}
