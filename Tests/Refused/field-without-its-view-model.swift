// SPDX-License-Identifier: MIT
// expected error: 'init(_:)' is unavailable: a field finds its rules on the surface of its view model: expected 'lazy var name = Field(self, …)'
import ViewModels

final class Page: ViewModel {
  let title = Field("")

  static let surface = Surface<Page>("page", .field("title", \.title, .required))
}
