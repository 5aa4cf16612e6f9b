// SPDX-License-Identifier: MIT
// expected error: type 'Page' has no member 'hiide'
import ObservableCore
import ViewModels

final class Page: ViewModel {
  func hide() {}

  static let surface = Surface<Page>("page", .action("hide", Page.hiide))
}
