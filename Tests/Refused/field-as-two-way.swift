// SPDX-License-Identifier: MIT
// expected error: 'twoWay' is unavailable: it is a field, which the view shows with its error: expected '.field'
import ViewModels

final class Page: ViewModel {
  lazy var title = Field(self, "")

  static let surface = Surface<Page>("page", .twoWay("title", \.title))
}
