// SPDX-License-Identifier: MIT
// expected error: 'length' is unavailable: the field has no text: expected '.range' for a number, or '.rule'
import ViewModels

final class Page: ViewModel {
  lazy var age = Field<Int?>(self, nil)

  static let surface = Surface<Page>("page", .field("age", \.age, .length(1...3)))
}
