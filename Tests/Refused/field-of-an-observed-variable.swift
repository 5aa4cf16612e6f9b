// SPDX-License-Identifier: MIT
// expected error: 'field(_:_:_:when:)' is unavailable: a field has more than a value: expected 'lazy var name = Field(self, …)' as '\.name', or '.twoWay'
import ObservableCore
import ViewModels

final class Page: ViewModel {
  @Observed var title = ""

  static let surface = Surface<Page>("page", .field("title", \.$title, .required))
}
